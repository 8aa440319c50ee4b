import { base58 } from '@scure/base'

const SOLANA_SIGNATURE_LENGTH = 64

/** 64 bytes take 64 (all zero) to 88 characters of base58. */
const BASE58_FORM = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

const isEvm = (hash: string): boolean => /^0x[0-9a-fA-F]{64}$/.test(hash)
const isHex = (hash: string): boolean => /^[0-9a-fA-F]{64}$/.test(hash)
const isSolana = (hash: string): boolean =>
  BASE58_FORM.test(hash) && base58.decode(hash).length === SOLANA_SIGNATURE_LENGTH

type HashForm = Readonly<{ inWords: string; isValid(hash: string): boolean }>

const EVM: HashForm = { inWords: '0x and 64 hexadecimal digits', isValid: isEvm }
const HEX: HashForm = { inWords: '64 hexadecimal digits', isValid: isHex }
const SOLANA: HashForm = { inWords: 'base58 of 64 bytes', isValid: isSolana }

/** The form of each network's transaction hash; Lightning has the payment hash (TXN-19). */
export const HASH_FORMS = {
  SOLANA,
  ETHEREUM: EVM,
  BASE: EVM,
  POLYGON: EVM,
  PLASMA: EVM,
  TRON: HEX,
  SPARK: HEX,
  LIGHTNING: HEX,
  BITCOIN: HEX,
} satisfies Readonly<Record<string, HashForm>>

const isNamed = (network: string): network is keyof typeof HASH_FORMS =>
  Object.hasOwn(HASH_FORMS, network)

/** Whether the text has the form of a transaction on the network. */
export const isTransactionHash = (network: string, hash: string): boolean =>
  isNamed(network) && HASH_FORMS[network].isValid(hash)
