import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A key and its certificate, as files. */
export interface Identity {
  readonly key: string
  readonly certificate: string
}

/**
 * Makes a certificate that nobody vouches for, valid for a day.
 *
 * @param names whom it is for, as a subjectAltName has them
 */
export async function selfSigned(folder: string, names: string): Promise<Identity> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ...['-keyout', key, '-out', certificate, '-subj', '/CN=taps test', '-addext', `subjectAltName=${names}`],
  ])
  return { key, certificate }
}
