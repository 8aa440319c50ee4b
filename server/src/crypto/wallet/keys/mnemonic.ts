/** The seed of a wallet (chapter 20, section 1): 128 random bits, kept as bytes, shown as 12 English words. */
import { randomBytes } from 'node:crypto'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { invariant } from '../../../kernel/invariant.ts'

const ENTROPY_BYTES = 16

/** To be sealed at rest. */
export function newWalletEntropy(): Buffer {
  return randomBytes(ENTROPY_BYTES)
}

/** BIP-39, words separated by one space; the same words for the same bytes (EXPT-4). */
export function mnemonicOf(entropy: Buffer): string {
  invariant(entropy.length === ENTROPY_BYTES, 'The entropy of a wallet has 16 bytes.')
  return entropyToMnemonic(entropy, wordlist)
}
