import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { characterChangesOf } from '../../../../test/kit/random/byte-changes.ts'
import { newDeviceKey, sealOtp } from '../../../../test/kit/wallets/client.ts'
import {
  ENCRYPTED_OTP_BUNDLE,
  ORGANIZATION_ID,
  OTP_TARGET,
  SIGNER,
  TEK,
  TEK_PUBLIC,
} from '../../../../test/kit/wallets/vectors.ts'
import { openOtpBundle, parseEncryptedOtpBundle } from './encrypted-otp.ts'
import { sealTo } from './hpke.ts'
import { newKeyPair } from '../keys/key-pair.ts'
import { otpTargetBundle } from './otp-target.ts'
import { parsePoint } from '../keys/point.ts'
import { walletSigner } from '../keys/wallet-signer.ts'

const signer = walletSigner(SIGNER.scalar)

async function openText(bundle: string): Promise<unknown> {
  const sealed = parseEncryptedOtpBundle(bundle)
  return sealed && openOtpBundle(OTP_TARGET, sealed)
}

test('VRFY-2 the published bundle opens to its code and key', async () => {
  assert.deepEqual(await openText(ENCRYPTED_OTP_BUNDLE), { code: '000000', publicKey: TEK.point })
})

test('VRFY-2 a bundle of the public client opens, with the key in either encoding', async () => {
  const device = newDeviceKey()
  const target = newKeyPair()
  const targetBundle = otpTargetBundle({
    signer,
    target: target.point,
    organizationId: ORGANIZATION_ID,
  })
  for (const publicKey of [device.publicKey, device.publicKeyUncompressed]) {
    const bundle = await sealOtp({
      code: 'K7Q2ZX',
      targetBundle,
      publicKey,
      signerPublicKey: signer.publicKey,
    })
    const sealed = parseEncryptedOtpBundle(bundle)
    assert.ok(sealed)
    const opened = await openOtpBundle(target, sealed)
    assert.deepEqual(opened, { code: 'K7Q2ZX', publicKey: parsePoint(device.publicKey) })
    assert.equal(await openOtpBundle(newKeyPair(), sealed), undefined, 'another issue’s key')
  }
})

test('VRFY-2 a malformed bundle is refused and costs no attempt', () => {
  const { encappedPublic, ciphertext } = JSON.parse(ENCRYPTED_OTP_BUNDLE)
  const cases = [
    ['', 'empty'],
    ['{', 'no JSON'],
    ['[]', 'an array'],
    [JSON.stringify(ENCRYPTED_OTP_BUNDLE), 'a string in a string'],
    [JSON.stringify({ ciphertext }), 'no key'],
    [JSON.stringify({ encappedPublic }), 'no ciphertext'],
    [JSON.stringify({ encappedPublic, ciphertext: '' }), 'an empty ciphertext'],
    [JSON.stringify({ encappedPublic, ciphertext: ciphertext.slice(1) }), 'half a byte'],
    [JSON.stringify({ encappedPublic, ciphertext: 7 }), 'a number'],
    [JSON.stringify({ encappedPublic: TEK_PUBLIC, ciphertext }), 'a compressed key'],
    [JSON.stringify({ encappedPublic: `04${'00'.repeat(64)}`, ciphertext }), 'off the curve'],
  ] as const
  for (const [text, why] of cases) assert.equal(parseEncryptedOtpBundle(text), undefined, why)
})

test('VRFY-2 upper-case hex and unknown members are read', async () => {
  const { encappedPublic, ciphertext } = JSON.parse(ENCRYPTED_OTP_BUNDLE)
  const text = JSON.stringify({
    more: true,
    ciphertext: ciphertext.toUpperCase(),
    encappedPublic: encappedPublic.toUpperCase(),
  })
  assert.deepEqual(await openText(text), { code: '000000', publicKey: TEK.point })
})

test('VRFY-2 a bundle that opens to other content counts as one that does not open', async () => {
  const cases = [
    ['', undefined],
    ['not json', undefined],
    ['["000000"]', undefined],
    ['{"public_key":"02"}', undefined],
    ['{"otp_code":0,"public_key":"02"}', undefined],
    ['{"otp_code":"000000"}', { code: '000000', publicKey: undefined }],
    ['{"otp_code":"000000","public_key":7}', { code: '000000', publicKey: undefined }],
    [`{"otp_code":"1","public_key":"02${'ff'.repeat(32)}"}`, { code: '1', publicKey: undefined }],
  ] as const
  for (const [plaintext, expected] of cases) {
    const sealed = await sealTo(OTP_TARGET.point, Buffer.from(plaintext))
    assert.deepEqual(await openOtpBundle(OTP_TARGET, sealed), expected, plaintext)
  }
})

test('VRFY-2 any changed character of a bundle is refused, or means the very same bundle', async () => {
  const original = parseEncryptedOtpBundle(ENCRYPTED_OTP_BUNDLE)
  await fc.assert(
    fc.asyncProperty(characterChangesOf(ENCRYPTED_OTP_BUNDLE), async (text) => {
      const sealed = parseEncryptedOtpBundle(text)
      const isSame =
        sealed?.enc.equals(original!.enc) && sealed.ciphertext.equals(original!.ciphertext)
      if (!isSame) assert.equal(await openText(text), undefined)
    }),
    { numRuns: 300 },
  )
})
