import assert from 'node:assert/strict'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { hpkeDecrypt, hpkeEncrypt, uncompressRawPublicKey } from '@turnkey/crypto'
import { byteChangesOf } from '../../../../test/kit/random/byte-changes.ts'
import { CLIENT, OTP_TARGET } from '../../../../test/kit/wallets/vectors.ts'
import { HPKE_SUITE, openSealed, sealTo } from './hpke.ts'
import { newKeyPair } from '../keys/key-pair.ts'
import { pointBytes } from '../keys/point.ts'

const exact = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer
const fromHex = (hex: string): ArrayBuffer => exact(Buffer.from(hex, 'hex'))

/**
 * The test vector of RFC 9180 for mode 0, KEM 0x0010, KDF 0x0001, AEAD 0x0002. Its 1,000 encryptions are given as one
 * digest: inputs are drawn from SHAKE128 of nothing (a length byte, then so many bytes; additional data first), and
 * the ciphertexts go into another SHAKE128; its first 16 bytes are stated.
 */
const RFC_9180 = {
  info: '4f6465206f6e2061204772656369616e2055726e',
  ikmE: 'a90d3417c3da9cb6c6ae19b4b5dd6cc9529a4cc24efb7ae0ace1f31887a8cd6c',
  ikmR: 'a0ce15d49e28bd47a18a97e147582d814b08cbe00109fed5ec27d1b4e9f6f5e3',
  pkRm: '04abc7e49a4c6b3566d77d0304addc6ed0e98512ffccf505e6a8e3eb25c685136f853148544876de76c0f2ef99cdc3a05ccf5ded7860c7c021238f9e2073d2356c',
  enc: '04c06b4f6bebc7bb495cb797ab753f911aff80aefb86fd8b6fcc35525f3ab5f03e0b21bd31a86c6048af3cb2d98e0d3bf01da5cc4c39ff5370d331a4f1f7d5a4e0',
  encryptions: '8d3263541fc1695b6e88ff3a1208577c',
}
const ENCRYPTIONS = 1_000

test('chapter 20, 3.1: the suite makes and opens the published encryptions of RFC 9180', async () => {
  const recipientKey = await HPKE_SUITE.kem.deriveKeyPair(fromHex(RFC_9180.ikmR))
  const { publicKey } = recipientKey
  const shown = Buffer.from(await HPKE_SUITE.kem.serializePublicKey(publicKey)).toString('hex')
  assert.equal(shown, RFC_9180.pkRm)
  const info = fromHex(RFC_9180.info)
  const sender = await HPKE_SUITE.createSenderContext({
    recipientPublicKey: publicKey,
    info,
    ekm: await HPKE_SUITE.kem.deriveKeyPair(fromHex(RFC_9180.ikmE)),
  })
  assert.equal(Buffer.from(sender.enc).toString('hex'), RFC_9180.enc)
  const recipient = await HPKE_SUITE.createRecipientContext({ recipientKey, enc: sender.enc, info })

  const source = createHash('shake128', { outputLength: 2 * ENCRYPTIONS * 256 }).digest()
  const sink = createHash('shake128', { outputLength: 16 })
  let at = 0
  const draw = (): Buffer => {
    const start = at + 1
    at = start + source.readUInt8(at)
    return source.subarray(start, at)
  }
  for (let round = 0; round < ENCRYPTIONS; round += 1) {
    const additionalData = draw()
    const plaintext = draw()
    const ciphertext = await sender.seal(exact(plaintext), exact(additionalData))
    sink.update(Buffer.from(ciphertext))
    const opened = await recipient.open(ciphertext, exact(additionalData))
    assert.deepEqual(Buffer.from(opened), plaintext)
  }
  assert.equal(sink.digest('hex'), RFC_9180.encryptions)
})

test('chapter 20, 3.1: `info` hashes, labelled, to the value that the chapter states', () => {
  const labelled = Buffer.concat([
    Buffer.from('HPKE-v1', 'ascii'),
    Buffer.from('48504b45001000010002', 'hex'),
    Buffer.from('info_hash', 'ascii'),
    Buffer.from('turnkey_hpke', 'ascii'),
  ])
  // HKDF-Extract without salt is an HMAC under zeros.
  const infoHash = createHmac('sha256', Buffer.alloc(32)).update(labelled).digest('hex')
  assert.equal(infoHash, '2f3f04e9206cd12413503529b47ac6a630b92ec4cf7d234508d0af9771c99e50')
})

test('EXPT-4 a sealed text opens, and two sealings of it differ', async () => {
  for (const plaintext of [Buffer.alloc(0), randomBytes(32), randomBytes(5_000)]) {
    const first = await sealTo(CLIENT.point, plaintext)
    const second = await sealTo(CLIENT.point, plaintext)
    assert.notDeepEqual(first.enc, second.enc)
    assert.equal(first.enc.length, 65)
    assert.equal(first.ciphertext.length, plaintext.length + 16)
    assert.deepEqual(await openSealed(CLIENT, first), plaintext)
    assert.deepEqual(await openSealed(CLIENT, second), plaintext)
  }
})

test('chapter 20, 3.1: the public client and the service open each other’s messages', async () => {
  for (let round = 0; round < 20; round += 1) {
    const pair = newKeyPair()
    const plaintext = randomBytes(round * 7)
    const { enc, ciphertext } = await sealTo(pair.point, plaintext)
    const opened = hpkeDecrypt({
      ciphertextBuf: ciphertext,
      encappedKeyBuf: enc,
      receiverPriv: pair.scalar.toString('hex'),
    })
    assert.deepEqual(Buffer.from(opened), plaintext)

    const theirs = hpkeEncrypt({ plainTextBuf: plaintext, targetKeyBuf: pointBytes(pair.point) })
    const sealed = {
      enc: Buffer.from(uncompressRawPublicKey(theirs.slice(0, 33))),
      ciphertext: Buffer.from(theirs.slice(33)),
    }
    assert.deepEqual(await openSealed(pair, sealed), plaintext)
  }
})

test('section 8: any changed byte, and any other key, fails to open, all alike', async () => {
  const sealed = await sealTo(OTP_TARGET.point, Buffer.from('{"otp_code":"000000"}'))
  assert.equal(await openSealed(CLIENT, sealed), undefined, 'another key')
  await fc.assert(
    fc.asyncProperty(byteChangesOf(sealed.ciphertext), async (ciphertext) => {
      assert.equal(await openSealed(OTP_TARGET, { ...sealed, ciphertext }), undefined)
    }),
  )
  await fc.assert(
    fc.asyncProperty(byteChangesOf(sealed.enc), async (enc) => {
      assert.equal(await openSealed(OTP_TARGET, { ...sealed, enc }), undefined)
    }),
  )
})

test('section 8: `enc` of a wrong length and a ciphertext without a tag do not open', async () => {
  const { enc, ciphertext } = await sealTo(OTP_TARGET.point, Buffer.from('x'))
  const cases = [
    { enc: enc.subarray(0, 64), ciphertext },
    { enc: Buffer.concat([enc, Buffer.alloc(1)]), ciphertext },
    { enc: Buffer.alloc(0), ciphertext },
    { enc: Buffer.alloc(65), ciphertext },
    { enc, ciphertext: ciphertext.subarray(0, 15) },
    { enc, ciphertext: Buffer.alloc(0) },
  ]
  for (const sealed of cases) assert.equal(await openSealed(OTP_TARGET, sealed), undefined)
})
