import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Machine } from './machine.ts'

const SECRET = 'a-secret-of-these-tests-32-characters-or-more'

/**
 * Puts everything on an empty machine that deploy/ha/README.md has put there.
 *
 * @param tls with the certificates in it, by `scripts/failover.mjs`
 * @param settings what more is in `machine.env`
 */
export async function install(
  machine: Machine,
  tls: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const { name, address, container } = machine
  await machine.run('sh', '/srv/taps/deploy/ha/install.sh')
  const etc = container.path('etc/taps')
  const file = join(etc, 'machine.env')
  const values = { ...settings, MACHINE: name, ADDRESS: address }
  await writeFile(file, fill(await readFile(file, 'utf8'), values))
  await mkdir(join(etc, 'tls'), { recursive: true })
  const own = ['ca.crt', 'machine.crt', 'machine.key'].map(part => join(name, part))
  const copy = (part: string) => copyFile(join(tls, part), join(etc, 'tls', basename(part)))
  await Promise.all([...own, 'site.crt', 'site.key'].map(copy))
  await machine.script('cd /etc/taps/tls && chgrp ssl-cert *.key && chmod 0640 *.key && chmod 0644 *.crt')
}

/** The file with other values, and secrets in the places where it wants them. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  const filled = Object.entries(values).reduce(
    (text, [name, value]) =>
      text.match(RegExp(`^${name}=`, 'm'))
        ? text.replace(RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`)
        : `${text}${name}=${value}\n`,
    text,
  )
  return filled.replaceAll('change-me', SECRET)
}
