import { ACCOUNT_WORDS } from './account-words.ts'
import { CARD_WORDS } from './card-words.ts'
import { COMMON_WORDS } from './common-words.ts'
import { CUSTOMER_WORDS } from './customer-words.ts'
import { PAYMENT_WORDS } from './payment-words.ts'
import { WALLET_WORDS } from './wallet-words.ts'
import type { Word, Words } from './word.ts'

/** The tables by subject; no two of them have a row of the same name. */
export const WORD_TABLES: readonly Words[] = [
  COMMON_WORDS,
  CUSTOMER_WORDS,
  ACCOUNT_WORDS,
  PAYMENT_WORDS,
  WALLET_WORDS,
  CARD_WORDS,
]

const rows = new Map(WORD_TABLES.flatMap((table) => Object.entries(table)))

/** What is said of a field in one of these places, and of every field of its name. */
export const wordsFor = (
  name: string,
  places: readonly string[],
): Readonly<{ here: Word | undefined; anywhere: Word | undefined }> => ({
  here: places.map((place) => rows.get(`${place}.${name}`)).find((word) => word !== undefined),
  anywhere: rows.get(name),
})
