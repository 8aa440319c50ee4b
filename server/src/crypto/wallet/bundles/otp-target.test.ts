import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { byteChangesOf } from '../../../../test/kit/random/byte-changes.ts'
import { sealOtp } from '../../../../test/kit/wallets/client.ts'
import {
  ORGANIZATION_ID,
  OTP_TARGET,
  SIGNER,
  SIGNER_PUBLIC,
  TEK_PUBLIC,
} from '../../../../test/kit/wallets/vectors.ts'
import { otpTargetBundle } from './otp-target.ts'
import { walletSigner } from '../keys/wallet-signer.ts'

const signer = walletSigner(SIGNER.scalar)
const bundleFor = (organizationId: string): string =>
  otpTargetBundle({ signer, target: OTP_TARGET.point, organizationId })
const seal = (targetBundle: string, signerPublicKey: string): Promise<string> =>
  sealOtp({ code: '1', targetBundle, publicKey: TEK_PUBLIC, signerPublicKey })

test('CHAL-2 the target bundle has the published form and the pinned signer', () => {
  const bundle = bundleFor(ORGANIZATION_ID)
  assert.match(
    bundle,
    /^\{"version":"v1\.0\.0","data":"[0-9a-f]+","dataSignature":"30[0-9a-f]+","enclaveQuorumPublic":"04[0-9a-f]{128}"\}$/,
  )
  const { data, enclaveQuorumPublic } = JSON.parse(bundle)
  assert.equal(enclaveQuorumPublic, SIGNER_PUBLIC)
  assert.equal(
    Buffer.from(data, 'hex').toString('utf8'),
    `{"targetPublic":"${OTP_TARGET.point.uncompressed}","organizationId":"${ORGANIZATION_ID}"}`,
  )
})

test('CHAL-2 the public client accepts every bundle, also with a short integer in its signature', async () => {
  const lengthsSeen = new Set<number>()
  // One signature in a hundred is shorter than 70 bytes.
  for (let round = 0; round < 20_000 && !lengthsSeen.has(69); round += 1) {
    const bundle = bundleFor(randomUUID())
    const { length } = Buffer.from(JSON.parse(bundle).dataSignature, 'hex')
    if (lengthsSeen.has(length)) continue
    lengthsSeen.add(length)
    await seal(bundle, SIGNER_PUBLIC)
  }
  assert.ok(lengthsSeen.has(69) && lengthsSeen.has(72))
  await assert.rejects(seal(bundleFor(ORGANIZATION_ID), OTP_TARGET.point.uncompressed))
})

test('CHAL-2 any changed byte of the signed data is refused by the client', async () => {
  const parsed = JSON.parse(bundleFor(ORGANIZATION_ID))
  await fc.assert(
    fc.asyncProperty(byteChangesOf(Buffer.from(parsed.data, 'hex')), async (data) => {
      const targetBundle = JSON.stringify({ ...parsed, data: data.toString('hex') })
      await assert.rejects(seal(targetBundle, SIGNER_PUBLIC))
    }),
    { numRuns: 40 },
  )
})
