import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'

/** The folders that a line of docs/operating.md may change; the machine's own stay as they are. */
const FOLDERS = ['/etc', '/srv', '/var', '/run']

/**
 * In the place of systemd, which runs in no container: does what `systemctl` says of a service by its unit file, in the
 * unit's folder, as its user, and in no environment but a path.
 */
const SYSTEMCTL = `#!/bin/bash
act=$1; shift
[ "$1" = --now ] && shift
word() { sed -n "s/^$2=//p" /etc/systemd/system/$1.service | sed 's/\\$\\$/$/g; s/%%/%/g'; }
run() { cd "$(word $1 WorkingDirectory)" && exec runuser -u "$(word $1 User)" -- env -i PATH=$PATH HOME=/ bash -c "$2"; }
begin() {
  if [ "$(word $1 Type)" = oneshot ]; then
    (run $1 "$(word $1 ExecStart)") && (run $1 "$(word $1 ExecStartPost)")
  else
    # Emptied before the shell goes on: the words of the start before would count for this one.
    : > /var/log/$1.log
    (run $1 "exec $(word $1 ExecStart)") >> /var/log/$1.log 2>&1 & echo $! > /run/$1.pid
    until grep -q "is ready at" /var/log/$1.log; do kill -0 $! || { cat /var/log/$1.log; return 1; }; sleep 0.1; done
  fi
}
end() { pid=$(cat /run/$1.pid); pkill -TERM -P $pid; while kill -0 $pid 2> /dev/null; do sleep 0.1; done; }
for unit in "$@"; do
  case "$act $unit" in
    daemon-reload* | *.timer) ;;
    *caddy) caddy validate --adapter caddyfile --config /etc/caddy/Caddyfile ;;
    start* | enable*) begin $unit || exit 1 ;;
    stop*) end $unit ;;
    restart*) end $unit; begin $unit || exit 1 ;;
  esac
done`

/** With mounts and processes of its own, which end with it. */
const ALONE = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'bash']

/** A root shell on this machine with folders of its own over those that it may change. */
export class Sandbox {
  readonly #shell: ChildProcessWithoutNullStreams
  #printed = ''

  private constructor(shell: ChildProcessWithoutNullStreams) {
    this.#shell = shell
    // Each line waits for its own end, or for that of the shell.
    shell.setMaxListeners(0)
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.on('data', chunk => {
        this.#printed += chunk
      })
    }
  }

  static async open(): Promise<Sandbox> {
    const { PATH = '' } = process.env
    const options = {
      env: { PATH: `/tmp/sandbox/bin:${PATH}:/usr/sbin:/sbin`, HOME: '/root', LANG: 'C.UTF-8' },
    }
    const sandbox = new Sandbox(spawn('unshare', ALONE, { ...options, stdio: 'pipe' }))
    await sandbox.run('mkdir -p /tmp/sandbox && mount -t tmpfs tmpfs /tmp/sandbox && mkdir /tmp/sandbox/bin')
    for (const folder of FOLDERS) {
      const [upper, work] = ['upper', 'work'].map(name => `/tmp/sandbox${folder}/${name}`)
      const layers = `lowerdir=${folder},upperdir=${upper},workdir=${work}`
      await sandbox.run(`mkdir -p ${upper} ${work} && mount -t overlay overlay -o ${layers} ${folder}`)
    }
    await sandbox.write('/tmp/sandbox/bin/systemctl', SYSTEMCTL)
    await sandbox.run('chmod 755 /tmp/sandbox/bin/systemctl')
    return sandbox
  }

  /**
   * Runs lines as somebody does who copies them into a shell; what they print.
   *
   * @throws Error with what they printed, when one of them fails
   */
  async run(lines: string): Promise<string> {
    this.#printed = ''
    this.#shell.stdin.write(`${lines}\necho "== $?"\n`)
    let end: RegExpExecArray | null = null
    while (!end) {
      await Promise.race([once(this.#shell.stdout, 'data'), once(this.#shell, 'exit')])
      end = /^== (\d+)$/m.exec(this.#printed)
      if (this.#shell.exitCode !== null) throw new Error(`The shell has ended: ${this.#printed}`)
    }
    if (end[1] !== '0') throw new Error(`${lines}\n${this.#printed}`)
    return this.#printed.slice(0, end.index)
  }

  /** Writes a file; its text must not hold a line `END`. */
  write(file: string, text: string): Promise<string> {
    return this.run(`cat > ${file} <<'END'\n${text}\nEND`)
  }

  async close(): Promise<void> {
    this.#shell.stdin.end('exit\n')
    if (this.#shell.exitCode === null) await once(this.#shell, 'exit')
  }
}
