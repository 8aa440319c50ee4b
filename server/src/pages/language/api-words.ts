/** What the API says in English about a form, in the words of the visitor's language. */
import { CATALOGUES } from './catalogue.ts'
import type { Locale } from './locale.ts'
import type { PlainKey, TextKey } from './text-keys.ts'

const isSentence = (key: TextKey): key is PlainKey & TextKey =>
  key.startsWith('reason.') || key.startsWith('advice.')

const SENTENCES = new Map<string, PlainKey>(
  (Object.keys(CATALOGUES.en) as TextKey[])
    .filter(isSentence)
    .map((key) => [CATALOGUES.en[key], key]),
)

/** A reason or advice of the service; what a reviewer wrote by hand is shown as it is. */
export function translated({ say }: Locale, sentence: string): string {
  const key = SENTENCES.get(sentence)
  return key === undefined ? sentence : say(key)
}

type Limited = 'finding.maxLength' | 'finding.minLength' | 'finding.atMost' | 'finding.atLeast'

const LIMITED: readonly (readonly [RegExp, Limited])[] = [
  [/^must have at most (\d+) characters?$/, 'finding.maxLength'],
  [/^must have at least (\d+) characters?$/, 'finding.minLength'],
  [/^must be at most (\d+)$/, 'finding.atMost'],
  [/^must be at least (\d+)$/, 'finding.atLeast'],
]

type Simple =
  | 'finding.required'
  | 'finding.invisible'
  | 'finding.integer'
  | 'finding.form'
  | 'finding.date'

const SIMPLE: readonly (readonly [RegExp, Simple])[] = [
  [/^is required/, 'finding.required'],
  [/control or invisible characters$/, 'finding.invisible'],
  [/^must be an? (?:integer|number)/, 'finding.integer'],
  [/^(?:has the wrong form|must have the form)/, 'finding.form'],
  [/^must be a date|^must not be in the future/, 'finding.date'],
]

/** A finding of the API at a field. One without a translation asks to check the field. */
export function findingText({ say, language }: Locale, label: string, message: string): string {
  const share = /^must be at most (\d+): the others hold (\d+) %$/.exec(message)
  if (share) {
    const [, limit = '', taken = ''] = share
    return say('finding.share', { label, limit, taken })
  }
  for (const [form, key] of LIMITED) {
    const limit = form.exec(message)?.[1]
    if (limit !== undefined) return say(key, { label, limit })
  }
  const simple = SIMPLE.find(([form]) => form.test(message))?.[1]
  if (simple) return say(simple, { label })
  return language === 'en' ? `${label} ${message}` : say('finding.other', { label })
}

/** A finding of the API at the file of a document. */
export function fileFinding({ say }: Locale, message: string): string {
  if (message === 'must be a PDF, a JPEG or a PNG') return say('finding.file')
  return say(message === 'must not be empty' ? 'finding.fileEmpty' : 'finding.fileOther')
}
