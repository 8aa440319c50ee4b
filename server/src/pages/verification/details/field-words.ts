/** The words of a field: its values, its errors and the fields that a reviewer names. */
import { findingText } from '../../language/api-words.ts'
import { inSentence, numberText } from '../../language/format.ts'
import { plainKey, type Locale } from '../../language/locale.ts'
import type { Field } from './fields.ts'

const UNITS: Readonly<Record<string, bigint>> = { '': 1n, K: 1_000n, M: 1_000_000n }

/** `VOLUME_10K_TO_100K`, `COUNT_UNDER_10`, `RANGE_1M_5M` and `OVER_25M` are ranges of numbers. */
const RANGE = /^(?:COUNT_|VOLUME_|RANGE_)?(?:(UNDER|OVER)_)?(\d+)([KM]?)(?:_(?:TO_)?(\d+)([KM]?))?$/

function rangeText({ say, language }: Locale, value: string): string | undefined {
  const match = RANGE.exec(value)
  if (!match) return undefined
  const [, side, low = '', lowUnit = '', high, highUnit = ''] = match
  const amount = (digits: string, unit: string): string =>
    numberText(language, BigInt(digits) * (UNITS[unit] ?? 1n))
  const first = amount(low, lowUnit)
  if (side === 'UNDER') return say('range.under', { max: first })
  if (high === undefined) return say('range.over', { min: first })
  return say('range.between', { min: first, max: amount(high, highUnit) })
}

/** The name of one of a field's values. */
export function valueText(locale: Locale, { words }: Pick<Field, 'words'>, value: string): string {
  const name = `${words ?? 'value'}.${value}`
  const key = plainKey(`${name}.long`) ?? plainKey(name)
  return key ? locale.say(key) : (rangeText(locale, value) ?? value)
}

/** The message where a field is left empty. */
export function missingText({ say, language }: Locale, { label, missing }: Field): string {
  if (missing) return say(missing)
  return say('field.further.missing', { label: inSentence(language, say(label)) })
}

/** What the API found at a field. */
export const wrongText = (locale: Locale, { label, wrong }: Field, message: string): string =>
  wrong ? locale.say(wrong) : findingText(locale, locale.say(label), message)

/** The name of any field of the API, by its path. */
export function labelAt({ say }: Locale, fields: readonly Field[], path: string): string {
  const own = fields.find(({ name }) => name === path)?.label
  const key = own ?? plainKey(`field.${path.split('.').at(-1) ?? path}`)
  return key ? say(key) : path
}
