import { readFileSync } from 'node:fs'

/** A request that succeeded, as the reference shows it. */
export type RecordedRequest = Readonly<{
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: unknown
  /** Whether the owner of a wallet signed the request. */
  isSigned?: boolean
}>

/** Requests of the tests and their answers, by the id of the operation; `npm run record` writes them. */
export type RecordedExamples = Readonly<{
  requests: Readonly<Record<string, RecordedRequest>>
  /** Bodies of successes, by status. */
  answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Bodies of refusals by code, the most frequent one first. */
  refusals: Readonly<Record<string, readonly unknown[]>>
  /** By operation and code, the index of its refusal among those above, where it is not the first. */
  refused: Readonly<Record<string, Readonly<Record<string, number>>>>
}>

export const RECORDED_FILE = new URL('generated/recorded-examples.json', import.meta.url)

/** Read when the description is requested, because most processes never need it. */
export const readRecorded = (): RecordedExamples =>
  JSON.parse(readFileSync(RECORDED_FILE, 'utf8')) as RecordedExamples
