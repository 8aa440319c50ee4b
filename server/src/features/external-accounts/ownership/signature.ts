/**
 * Checks that the holder of an address signed a message (OWN-6). Malformed input is a wrong signature, no exception.
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, base64, hex } from '@scure/base'
import { solanaKey } from '../formats/wallet/solana-address.ts'
import { sparkIdentityKey } from '../formats/wallet/spark-address.ts'
import { toTronAddress } from '../formats/wallet/tron-address.ts'

export const SIGNATURE_SCHEMES = ['bip137', 'electrum'] as const
export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number]

export type SignedMessage = Readonly<{
  address: string
  message: string
  signature: string
  /** Used by Spark wallets only. */
  scheme: SignatureScheme
}>

type Verifier = (signed: SignedMessage) => boolean

const VERIFIERS: ReadonlyMap<string, Verifier> = new Map([
  ['ETHEREUM_WALLET', verifyEvm],
  ['BASE_WALLET', verifyEvm],
  ['POLYGON_WALLET', verifyEvm],
  ['PLASMA_WALLET', verifyEvm],
  ['TRON_WALLET', verifyTron],
  ['SOLANA_WALLET', verifySolana],
  ['SPARK_WALLET', verifySpark],
])

export function isOwnerSignature(accountType: string, signed: SignedMessage): boolean {
  try {
    return VERIFIERS.get(accountType)?.(signed) ?? false
  } catch {
    // Decoders and curves throw on malformed input; a signature that cannot be read proves nothing.
    return false
  }
}

/** EIP-191, version E: the hash that `personal_sign` signs. */
function verifyEvm({ address, message, signature }: SignedMessage): boolean {
  const hash = personalHash('\x19Ethereum Signed Message:\n', message)
  const signer = recoverKeyHash(hash, signature)
  return signer !== undefined && `0x${bytesToHex(signer)}` === address.toLowerCase()
}

/** TIP-191: as EVM under Tron's own prefix, with the address in base58check. */
function verifyTron({ address, message, signature }: SignedMessage): boolean {
  const hash = personalHash('\x19TRON Signed Message:\n', message)
  const signer = recoverKeyHash(hash, signature)
  return signer !== undefined && toTronAddress(signer) === address
}

function personalHash(prefix: string, message: string): Uint8Array {
  const bytes = utf8ToBytes(message)
  return keccak_256(concatBytes(utf8ToBytes(`${prefix}${bytes.length}`), bytes))
}

const RECOVERY_BY_V: Readonly<Record<number, number>> = { 0: 0, 1: 1, 27: 0, 28: 1 }

/** The last twenty bytes of the hash of the key that made a 65-byte `0x` signature; only low s (EIP-2). */
function recoverKeyHash(hash: Uint8Array, signature: string): Uint8Array | undefined {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return undefined
  const bytes = hex.decode(signature.slice(2).toLowerCase())
  const recovery = RECOVERY_BY_V[bytes[64] as number]
  if (recovery === undefined) return undefined
  const parsed = secp256k1.Signature.fromBytes(bytes.slice(0, 64), 'compact')
  if (parsed.hasHighS()) return undefined
  const key = parsed.addRecoveryBit(recovery).recoverPublicKey(hash).toBytes(false)
  return keccak_256(key.slice(1)).slice(-20)
}

/** Ed25519 over the bare bytes. Keys of small order are refused, since any signature fits them. */
function verifySolana({ address, message, signature }: SignedMessage): boolean {
  const key = solanaKey(address)
  if (!key || ed25519.Point.fromBytes(key).isSmallOrder()) return false
  return ed25519.verify(base58.decode(signature), utf8ToBytes(message), key, { zip215: false })
}

/**
 * Bitcoin's signed message, 65 bytes: a header, r and s. BIP-137 encodes the kind of address in the header (27 to 42),
 * Electrum only the two kinds of keys (27 to 34). Both give the same key.
 */
const HEADER_MIN = 27
const HEADER_MAX: Readonly<Record<SignatureScheme, number>> = { bip137: 42, electrum: 34 }

function verifySpark({ address, message, signature, scheme }: SignedMessage): boolean {
  const key = sparkIdentityKey(address)
  const signer = recoverBitcoinKey({ message, signature, scheme })
  return key !== undefined && signer !== undefined && bytesToHex(signer) === bytesToHex(key)
}

/** The compressed key that signed a Bitcoin message. */
export function recoverBitcoinKey({
  message,
  signature,
  scheme,
}: Omit<SignedMessage, 'address'>): Uint8Array | undefined {
  const bytes = base64.decode(signature)
  const header = bytes[0] ?? 0
  if (bytes.length !== 65 || header < HEADER_MIN || header > HEADER_MAX[scheme]) return undefined
  return secp256k1.Signature.fromBytes(bytes.slice(1), 'compact')
    .addRecoveryBit((header - HEADER_MIN) & 3)
    .recoverPublicKey(bitcoinHash(message))
    .toBytes(true)
}

function bitcoinHash(message: string): Uint8Array {
  const bytes = utf8ToBytes(message)
  const prefix = utf8ToBytes('\x18Bitcoin Signed Message:\n')
  return sha256(sha256(concatBytes(prefix, compactSize(bytes.length), bytes)))
}

/** Bitcoin's length prefix: one byte up to 252, three up to 65,535, which no challenge reaches. */
function compactSize(length: number): Uint8Array {
  return length < 0xfd
    ? new Uint8Array([length])
    : new Uint8Array([0xfd, length & 0xff, length >> 8])
}
