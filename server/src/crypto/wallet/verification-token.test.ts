import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { characterChangesOf } from '../../../test/kit/random/byte-changes.ts'
import { readVerificationToken } from '../../../test/kit/wallets/client.ts'
import { ORGANIZATION_ID, SIGNER, TEK } from '../../../test/kit/wallets/vectors.ts'
import { newKeyPair } from './keys/key-pair.ts'
import { verificationToken } from './verification-token.ts'
import { walletSigner } from './keys/wallet-signer.ts'

const signer = walletSigner(SIGNER.scalar)
const claims = {
  id: '019a0000-0000-7000-8000-000000000009',
  type: 'EMAIL_OTP',
  contact: 'Zoë+1@example.com',
  organizationId: ORGANIZATION_ID,
  publicKey: TEK.point,
  expiresAt: new Date('2100-01-01T00:00:00.123Z'),
} as const
const read = (token: string) => readVerificationToken({ token, signerPublicKey: signer.publicKey })

test('VRFY-4 the token has exactly the published header and claims', () => {
  const [header = '', payload = '', signature = ''] = verificationToken(signer, claims).split('.')
  const text = (segment: string): string => Buffer.from(segment, 'base64url').toString('utf8')
  assert.equal(text(header), '{"alg":"ES256","typ":"JWT"}')
  assert.equal(
    text(payload),
    `{"id":"${claims.id}","verification_type":"OTP_TYPE_EMAIL","contact":"Zoë+1@example.com","organization_id":"${ORGANIZATION_ID}","public_key":"${TEK.point.compressed}","exp":"4102444800123"}`,
  )
  assert.equal(Buffer.from(signature, 'base64url').length, 64)
  assert.doesNotMatch(`${header}${payload}${signature}`, /[^A-Za-z0-9_-]/)
})

test('VRFY-4 the public client accepts the token under the signer key', async () => {
  for (let round = 0; round < 200; round += 1) {
    const { contact, public_key } = await read(verificationToken(signer, claims))
    assert.deepEqual([contact, public_key], [claims.contact, TEK.point.compressed])
  }
  const sms = await read(verificationToken(signer, { ...claims, type: 'SMS_OTP' }))
  assert.equal(sms.verification_type, 'OTP_TYPE_SMS')
})

test('VRFY-4 any changed character of the token, and any other signer, is refused by the client', async () => {
  const token = verificationToken(signer, claims)
  const bytesOf = (text: string): string =>
    text
      .split('.')
      .map((segment) => Buffer.from(segment, 'base64url').toString('hex'))
      .join('.')
  await fc.assert(
    fc.asyncProperty(characterChangesOf(token), async (changed) => {
      // The last characters of a segment hold bits that no byte accounts for; the client does not look at them.
      if (changed.split('.').length !== 3 || bytesOf(changed) !== bytesOf(token)) {
        await assert.rejects(read(changed))
      }
    }),
    { numRuns: 60 },
  )
  await assert.rejects(read(verificationToken(walletSigner(newKeyPair().scalar), claims)))
})
