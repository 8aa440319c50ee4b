/** Wallets of every kind whose keys the test holds: real addresses, real signatures. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58, base64, bech32m, createBase58check, hex } from '@scure/base'

export type SigningWallet = Readonly<{
  accountType: string
  currency: string
  address: string
  sign(message: string): string
}>

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))

const solana = (): SigningWallet => {
  const { secretKey, publicKey } = ed25519.keygen()
  return {
    accountType: 'SOLANA_WALLET',
    currency: 'USDC',
    address: base58.encode(publicKey),
    sign: (message) => base58.encode(ed25519.sign(utf8(message), secretKey)),
  }
}

const keyHash = (secretKey: Uint8Array): Uint8Array =>
  keccak_256(secp256k1.getPublicKey(secretKey, false).slice(1)).slice(-20)

/** EIP-191 and TIP-191 differ in the name of the chain. */
function personalSign(chain: string, message: string, secretKey: Uint8Array): string {
  const text = utf8(message)
  const hash = keccak_256(joined(utf8(`\x19${chain} Signed Message:\n${text.length}`), text))
  const [recovery = 0, ...rest] = secp256k1.sign(hash, secretKey, {
    prehash: false,
    format: 'recovered',
  })
  return `0x${hex.encode(new Uint8Array([...rest, 27 + recovery]))}`
}

const evm = (accountType: string, currency: string) => (): SigningWallet => {
  const secretKey = secp256k1.utils.randomSecretKey()
  return {
    accountType,
    currency,
    address: `0x${hex.encode(keyHash(secretKey))}`,
    sign: (message) => personalSign('Ethereum', message, secretKey),
  }
}

const tron = (): SigningWallet => {
  const secretKey = secp256k1.utils.randomSecretKey()
  return {
    accountType: 'TRON_WALLET',
    currency: 'USDT',
    address: createBase58check(sha256).encode(joined(new Uint8Array([0x41]), keyHash(secretKey))),
    sign: (message) => personalSign('TRON', message, secretKey),
  }
}

const COMPRESSED_KEY_HEADER = 31

const spark = (): SigningWallet => {
  const secretKey = secp256k1.utils.randomSecretKey()
  const payload = joined(new Uint8Array([0x0a, 33]), secp256k1.getPublicKey(secretKey, true))
  return {
    accountType: 'SPARK_WALLET',
    currency: 'BTC',
    address: bech32m.encode('spark', bech32m.toWords(payload), false),
    sign(message) {
      const text = utf8(message)
      const length =
        text.length < 0xfd ? [text.length] : [0xfd, text.length & 0xff, text.length >> 8]
      const prefix = utf8('\x18Bitcoin Signed Message:\n')
      const hash = sha256(sha256(joined(prefix, new Uint8Array(length), text)))
      const signed = secp256k1.sign(hash, secretKey, { prehash: false, format: 'recovered' })
      const [recovery = 0, ...rest] = signed
      return base64.encode(new Uint8Array([COMPRESSED_KEY_HEADER + recovery, ...rest]))
    },
  }
}

export const SIGNING_WALLETS: readonly (() => SigningWallet)[] = [
  solana,
  evm('ETHEREUM_WALLET', 'USDC'),
  evm('BASE_WALLET', 'USDC'),
  evm('POLYGON_WALLET', 'USDC'),
  evm('PLASMA_WALLET', 'USDT'),
  tron,
  spark,
]

export const newWallet = (): SigningWallet => solana()
