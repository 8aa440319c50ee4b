import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { decryptExportBundle } from '@turnkey/crypto'
import { byteChangesOf } from '../../../../test/kit/random/byte-changes.ts'
import { newDeviceKey, openExport } from '../../../../test/kit/wallets/client.ts'
import {
  CLIENT,
  EXPORT_BUNDLE,
  MNEMONIC,
  ORGANIZATION_ID,
  SIGNER,
} from '../../../../test/kit/wallets/vectors.ts'
import { exportBundle } from './export.ts'
import { newKeyPair } from '../keys/key-pair.ts'
import { mnemonicOf, newWalletEntropy } from '../keys/mnemonic.ts'
import { parsePoint } from '../keys/point.ts'
import { walletSigner } from '../keys/wallet-signer.ts'

const signer = walletSigner(SIGNER.scalar)

test('EXPT-3 the published export bundle is of the form that ours has', async () => {
  const opened = await decryptExportBundle({
    exportBundle: EXPORT_BUNDLE,
    organizationId: ORGANIZATION_ID,
    embeddedKey: CLIENT.scalar.toString('hex'),
    dangerouslyOverrideSignerPublicKey: signer.publicKey,
    returnMnemonic: true,
  })
  assert.equal(opened, MNEMONIC)
  const ours = await exportBundle({
    signer,
    client: CLIENT.point,
    organizationId: ORGANIZATION_ID,
    mnemonic: MNEMONIC,
  })
  const shape = (bundle: string): unknown => {
    const { data, dataSignature, ...envelope } = JSON.parse(bundle)
    const inner = JSON.parse(Buffer.from(data, 'hex').toString('utf8'))
    return [envelope, Object.entries(inner).map(([key, text]) => [key, String(text).length])]
  }
  assert.deepEqual(shape(ours), shape(EXPORT_BUNDLE))
  assert.deepEqual(Object.keys(JSON.parse(ours)), Object.keys(JSON.parse(EXPORT_BUNDLE)))
})

test('EXPT-3 EXPT-4 the public client opens an export to the same words, sealed afresh each time', async () => {
  const device = newDeviceKey()
  const mnemonic = mnemonicOf(newWalletEntropy())
  const client = parsePoint(device.publicKeyUncompressed)!
  const bundles = new Set<string>()
  for (let round = 0; round < 10; round += 1) {
    const bundle = await exportBundle({ signer, client, organizationId: ORGANIZATION_ID, mnemonic })
    bundles.add(bundle)
    const opened = await openExport({
      encryptedWalletCredentials: bundle,
      payloadToSign: JSON.stringify({ organizationId: ORGANIZATION_ID }),
      device,
      signerPublicKey: signer.publicKey,
    })
    assert.equal(opened, mnemonic)
  }
  assert.equal(bundles.size, 10)
})

test('EXPT-3 a changed byte of the signed data, or another signer or organization, is refused by the client', async () => {
  const bundle = await exportBundle({
    signer,
    client: CLIENT.point,
    organizationId: ORGANIZATION_ID,
    mnemonic: MNEMONIC,
  })
  const open = (exportBundle: string, organizationId = ORGANIZATION_ID): Promise<string> =>
    decryptExportBundle({
      exportBundle,
      organizationId,
      embeddedKey: CLIENT.scalar.toString('hex'),
      dangerouslyOverrideSignerPublicKey: signer.publicKey,
      returnMnemonic: true,
    })
  assert.equal(await open(bundle), MNEMONIC)
  await assert.rejects(open(bundle, randomUUID()))
  const parsed = JSON.parse(bundle)
  await fc.assert(
    fc.asyncProperty(byteChangesOf(Buffer.from(parsed.data, 'hex')), async (data) => {
      await assert.rejects(open(JSON.stringify({ ...parsed, data: data.toString('hex') })))
    }),
    { numRuns: 25 },
  )
  const stranger = walletSigner(newKeyPair().scalar)
  const foreign = await exportBundle({
    signer: stranger,
    client: CLIENT.point,
    organizationId: ORGANIZATION_ID,
    mnemonic: MNEMONIC,
  })
  await assert.rejects(open(foreign))
})
