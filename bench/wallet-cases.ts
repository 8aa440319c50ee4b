import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { parseStamp, verifyStamp } from '../server/src/crypto/wallet/stamp.ts'
import { closedLoop, type Case } from './measure.ts'

const DURATION_MS = 1_000

/** What a signed retry costs beyond the curve itself: reading the stamp, and finding its key again. */
export function walletCases(): readonly Case[] {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const payload = JSON.stringify({ type: 'ACTIVITY_TYPE_EXPORT_WALLET', text: 'x'.repeat(400) })
  const bytes = Buffer.from(payload, 'utf8')
  const signature = sign('sha256', bytes, privateKey)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([
    Buffer.from([4]),
    Buffer.from(x, 'base64url'),
    Buffer.from(y, 'base64url'),
  ])
  const header = Buffer.from(
    JSON.stringify({
      publicKey: point.toString('hex'),
      scheme: 'SIGNATURE_SCHEME_TK_API_P256',
      signature: signature.toString('hex'),
    }),
  ).toString('base64url')
  const ours = async (): Promise<boolean> => {
    const stamp = parseStamp(header)
    return stamp !== undefined && verifyStamp(stamp, payload)
  }
  return [
    {
      name: 'wallet stamp verification',
      aim: 0.7,
      ours: () => closedLoop(1, DURATION_MS, ours),
      yardstick: () =>
        closedLoop(1, DURATION_MS, async () => verify('sha256', bytes, publicKey, signature)),
      against: 'crypto.verify with the key at hand',
    },
  ]
}
