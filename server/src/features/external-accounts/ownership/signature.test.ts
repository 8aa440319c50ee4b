import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, base64, bech32m, createBase58check, hex } from '@scure/base'
import { toTronAddress } from '../formats/wallet/tron-address.ts'
import { isOwnerSignature, recoverBitcoinKey } from './signature.ts'

const scheme = 'bip137' as const

/** The published example of web3's `accounts.sign`. */
const EVM = {
  address: '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23',
  message: 'Some data',
  signature:
    '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c',
  scheme,
}

/** The published vector of a Tron library's personal message; the address follows from its key. */
const tronKey = hex.decode('43985273a3d94eb753fe6acfd7003e88254effce1eb53e2e97b8522558a98038')
const TRON = {
  address: toTronAddress(keccak_256(secp256k1.getPublicKey(tronKey, false).slice(1)).slice(-20)),
  message: 'message',
  signature:
    '0xfde00bc33d78109bc61de314c1c0526a047e22a2aaae473ca84b32d8aa35ed3e03720e05d614087e3d8c6fae63879755b32aa08818a2d4de66fee1a617a971671b',
  scheme,
}

/** RFC 8032, 7.1, test 2: the one-byte message 0x72. */
const SOLANA = {
  address: base58.encode(
    hex.decode('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c'),
  ),
  message: 'r',
  signature: base58.encode(
    hex.decode(
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ),
  ),
  scheme,
}

/** The signed message that the tests of several Bitcoin libraries share. */
const BITCOIN = {
  address: '1F3sAm6ZtwLAUnj7d38pGFxtP3RVEvtsbV',
  message: 'This is an example of a signed message.',
  signature:
    'H9L5yLFjti0QTHhPyFrZCT1V/MMnBtXKmoiKDZ78NDBjERki6ZTQZdSMCtkgoNmp17By9ItJr8o7ChX0XxY91nk=',
}

function sparkAddress(key: Uint8Array): string {
  return bech32m.encode('spark', bech32m.toWords(new Uint8Array([0x0a, 33, ...key])), false)
}

const bitcoinKey = recoverBitcoinKey({ ...BITCOIN, scheme }) as Uint8Array
const SPARK = { ...BITCOIN, address: sparkAddress(bitcoinKey), scheme }

test('OWN-6 the key recovered from a published Bitcoin signature is that of its address', () => {
  const hash = new Uint8Array([0, ...ripemd160(sha256(bitcoinKey))])
  assert.equal(createBase58check(sha256).encode(hash), BITCOIN.address)
})

const SIGNED = [
  ['ETHEREUM_WALLET', EVM],
  ['BASE_WALLET', EVM],
  ['POLYGON_WALLET', EVM],
  ['PLASMA_WALLET', EVM],
  ['TRON_WALLET', TRON],
  ['SOLANA_WALLET', SOLANA],
  ['SPARK_WALLET', SPARK],
] as const

for (const [accountType, signed] of SIGNED) {
  test(`OWN-6 ${accountType}: the published signature is the owner's`, () => {
    assert.ok(isOwnerSignature(accountType, signed))
  })

  test(`OWN-6 ${accountType}: another message, address or signature is not`, () => {
    const [, other] = SIGNED.find(([, one]) => one !== signed) ?? []
    const { address, signature } = other ?? signed
    assert.ok(!isOwnerSignature(accountType, { ...signed, message: `${signed.message}\n` }))
    assert.ok(!isOwnerSignature(accountType, { ...signed, address }))
    assert.ok(!isOwnerSignature(accountType, { ...signed, signature }))
    for (const garbage of ['', '0x', 'zzz', '0'.repeat(132), signed.signature.slice(2)]) {
      assert.ok(!isOwnerSignature(accountType, { ...signed, signature: garbage }), garbage)
    }
  })
}

test('OWN-6 every single changed byte spoils a signature', () => {
  const codecs = {
    ETHEREUM_WALLET: [
      EVM,
      (s: string) => hex.decode(s.slice(2)),
      (b: Uint8Array) => `0x${hex.encode(b)}`,
    ],
    TRON_WALLET: [
      TRON,
      (s: string) => hex.decode(s.slice(2)),
      (b: Uint8Array) => `0x${hex.encode(b)}`,
    ],
    SOLANA_WALLET: [SOLANA, base58.decode, base58.encode],
    SPARK_WALLET: [SPARK, base64.decode, base64.encode],
  } as const
  for (const [accountType, [signed, decode, encode]] of Object.entries(codecs)) {
    const bytes = decode(signed.signature)
    for (const index of bytes.keys()) {
      const changed = Uint8Array.from(bytes)
      changed[index] = (changed[index] as number) ^ 1
      const signature = encode(changed)
      assert.ok(!isOwnerSignature(accountType, { ...signed, signature }), `${accountType} ${index}`)
    }
  }
})

test('OWN-6 EVM: v is 0, 1, 27 or 28, and the address may be in any case', () => {
  const withV = (v: string) => ({ ...EVM, signature: `${EVM.signature.slice(0, -2)}${v}` })
  assert.ok(isOwnerSignature('BASE_WALLET', withV('01')))
  assert.ok(isOwnerSignature('BASE_WALLET', { ...EVM, address: EVM.address.toLowerCase() }))
  for (const v of ['00', '02', '1b', '1d', '25']) {
    assert.ok(!isOwnerSignature('BASE_WALLET', withV(v)), v)
  }
})

test('OWN-6 EVM and Tron: the twin with a high s is refused', () => {
  const twin = (signature: string): string => {
    const bytes = hex.decode(signature.slice(2))
    const { r, s } = secp256k1.Signature.fromBytes(bytes.slice(0, 64), 'compact')
    const high = new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s).toBytes('compact')
    return `0x${hex.encode(high)}${bytes[64] === 27 ? '1c' : '1b'}`
  }
  assert.ok(!isOwnerSignature('BASE_WALLET', { ...EVM, signature: twin(EVM.signature) }))
  assert.ok(!isOwnerSignature('TRON_WALLET', { ...TRON, signature: twin(TRON.signature) }))
})

test("OWN-6 the prefixes of Ethereum and Tron do not stand for each other's", () => {
  assert.ok(!isOwnerSignature('TRON_WALLET', { ...TRON, signature: EVM.signature }))
  const address = `0x${hex.encode(keccak_256(secp256k1.getPublicKey(tronKey, false).slice(1)).slice(-20))}`
  assert.ok(!isOwnerSignature('BASE_WALLET', { ...TRON, address }))
})

test('OWN-6 Solana: a key of small order, which any signature fits, proves nothing', () => {
  // With R and the key both neutral and s zero the equation holds for every message.
  const neutral = ed25519.Point.ZERO.toBytes()
  const signed = {
    address: base58.encode(neutral),
    message: 'anything',
    signature: base58.encode(new Uint8Array([...neutral, ...new Uint8Array(32)])),
    scheme,
  }
  assert.ok(!isOwnerSignature('SOLANA_WALLET', signed))
  assert.ok(!isOwnerSignature('SOLANA_WALLET', { ...signed, address: '1'.repeat(32) }))
})

test('OWN-6 Spark: bip137 headers run from 27 to 42, electrum stops at 34', () => {
  const bytes = base64.decode(BITCOIN.signature)
  const recovery = ((bytes[0] as number) - 27) & 3
  const accepted = (header: number, by: 'bip137' | 'electrum') => {
    const signature = base64.encode(new Uint8Array([header, ...bytes.slice(1)]))
    return isOwnerSignature('SPARK_WALLET', { ...SPARK, signature, scheme: by })
  }
  const headers = Array.from({ length: 256 }, (_, header) => header)
  const of = (bases: number[]) => bases.map((base) => base + recovery)
  assert.deepEqual(
    headers.filter((header) => accepted(header, 'bip137')),
    of([27, 31, 35, 39]),
  )
  assert.deepEqual(
    headers.filter((header) => accepted(header, 'electrum')),
    of([27, 31]),
  )
})

test('OWN-6 Spark: a message longer than 252 bytes is hashed with a longer prefix', () => {
  const secret = new Uint8Array(32).fill(7)
  const message = 'x'.repeat(300)
  const prefix = Buffer.from('\x18Bitcoin Signed Message:\n')
  const digest = sha256(
    sha256(Buffer.concat([prefix, Buffer.from([0xfd, 0x2c, 0x01]), Buffer.from(message)])),
  )
  const recovered = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' })
  const header = 31 + (recovered[0] as number)
  const signature = base64.encode(new Uint8Array([header, ...recovered.slice(1)]))
  const address = sparkAddress(secp256k1.getPublicKey(secret, true))
  assert.ok(isOwnerSignature('SPARK_WALLET', { address, message, signature, scheme: 'electrum' }))
})

test('OWN-6 types without keys of their own have no signature', () => {
  assert.ok(!isOwnerSignature('LIGHTNING', EVM))
  assert.ok(!isOwnerSignature('USD_ACCOUNT', EVM))
  assert.ok(!isOwnerSignature('constructor', EVM))
})
