import type { Operation } from '../../src/infra/http/operation.ts'

/** The samples are run in parts of about the same length, by the first word of the path. */
export type Part = 'people' | 'wallets' | 'payments' | 'programs'

const WORDS: Readonly<Record<Exclude<Part, 'payments'>, readonly string[]>> = {
  people: ['customers', 'beneficial-owners', 'documents', 'verifications', 'tokens'],
  wallets: ['sca', 'auth', 'internal-accounts', 'stablecoins', 'stablecoin-operations'],
  programs: ['agents', 'cards', 'sandbox'],
}

export function partOf({ path }: Operation): Part {
  const word = path.split('/')[1] ?? ''
  const found = Object.entries(WORDS).find(([, words]) => words.includes(word))
  return (found?.[0] ?? 'payments') as Part
}
