import type { Institution } from './institutions.ts'
import { INSTITUTIONS } from './institutions.ts'

type Filter = Readonly<{ country?: string | undefined; currency?: string | undefined }>

/** One string that sorts as country, currency, displayName; no name holds a control character. */
function sortKey({ country, currency, displayName }: Institution): string {
  return [country, currency, displayName].join('\u0000')
}

const SORTED = INSTITUTIONS.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))

/** By country, currency, displayName, in code-point order; an unserved pair has none (DISC-1). */
export function listInstitutions({ country, currency }: Filter = {}): readonly Institution[] {
  return SORTED.filter(
    (institution) =>
      (country === undefined || institution.country === country) &&
      (currency === undefined || institution.currency === currency),
  )
}

/** The `bankName`s that accounts of this country and currency may have (DISC-3). */
export function bankNamesFor(place: Readonly<{ country: string; currency: string }>): string[] {
  return listInstitutions(place).map(({ bankName }) => bankName)
}
