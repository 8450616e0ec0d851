import { join } from 'node:path'
import { command } from './command.ts'

/** The paths of a private key and its certificate. */
export interface Identity {
  readonly key: string
  readonly certificate: string
}

/**
 * Creates a self-signed certificate that is valid for a day.
 *
 * @param names - The certificate's names, in subjectAltName syntax.
 */
export async function selfSigned(folder: string, names: string): Promise<Identity> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  await command(
    'openssl',
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ...['-keyout', key, '-out', certificate, '-subj', '/CN=taps test', '-addext', `subjectAltName=${names}`],
  )
  return { key, certificate }
}
