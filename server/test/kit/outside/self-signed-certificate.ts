/**
 * A certificate for tests of TLS, made on the spot: no private key lies in the repository and none
 * expires. Node can read X.509 but not write it, hence the few lines of DER.
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

const OID_COMMON_NAME = '0603550403'
const OID_SUBJECT_ALT_NAME = '0603551d11'
const OID_ECDSA_WITH_SHA256 = '06082a8648ce3d040302'

export type TestCertificate = Readonly<{ certificatePem: string; privateKeyPem: string }>

/** Valid for these host names and IPv4 addresses from 2020 to 2049; P-256. */
export function selfSignedCertificate(names: readonly string[]): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(0x30, Buffer.from(OID_ECDSA_WITH_SHA256, 'hex'))
  const name = der(
    0x30,
    der(
      0x31,
      der(0x30, Buffer.from(OID_COMMON_NAME, 'hex'), der(0x0c, Buffer.from('florin test'))),
    ),
  )
  const altNames = der(0x30, ...names.map(altName))
  const extension = der(0x30, Buffer.from(OID_SUBJECT_ALT_NAME, 'hex'), der(0x04, altNames))
  const certificate = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    der(0x30, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z'))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, extension)),
  )
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', certificate, privateKey)])
  const signed = der(0x30, certificate, algorithm, der(0x03, signature))
  return {
    certificatePem: `-----BEGIN CERTIFICATE-----\n${signed.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function altName(name: string): Buffer {
  return isIPv4(name)
    ? der(0x87, Buffer.from(name.split('.').map(Number)))
    : der(0x82, Buffer.from(name))
}

/** Tag, length, value. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const length =
    value.length < 0x80
      ? [value.length]
      : value.length < 0x100
        ? [0x81, value.length]
        : [0x82, value.length >> 8, value.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), value])
}
