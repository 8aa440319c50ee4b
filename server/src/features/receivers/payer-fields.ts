import { isGovernmentNumber } from '../customers/index.ts'
import type { RequestedField, PayerData } from '../uma/index.ts'
import type { SenderInfo } from './sender.ts'

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

/** UMA-3: what a receiver asks for and the sender's record lacks. */
export const lackingFields = (
  asked: readonly RequestedField[],
  info: SenderInfo,
): readonly RequestedField[] => asked.filter(({ name }) => !isGiven(info[name]))

/** What a receiver asks for, each field once; mandatory where anybody wants it so. */
export function mergeAsked(asked: readonly RequestedField[]): RequestedField[] {
  const byName = new Map<RequestedField['name'], boolean>()
  for (const { name, mandatory } of asked) {
    byName.set(name, (byName.get(name) ?? false) || mandatory)
  }
  return [...byName].map(([name, mandatory]) => ({ name, mandatory }))
}

export type PayerFields = Readonly<{
  /** What the receiver is told, by the names of the fields. */
  data: PayerData
  /** Mandatory ones that nobody told. */
  missing: readonly RequestedField['name'][]
}>

/** UMA-6: the record first, then what the request says of the sender. A government's number only to who must have it. */
export function payerFieldsOf(
  asked: readonly RequestedField[],
  info: SenderInfo,
  given: Readonly<Record<string, unknown>>,
): PayerFields {
  const valueOf = (name: RequestedField['name']): unknown => {
    if (isGiven(info[name])) return info[name]
    return Object.hasOwn(given, name) ? given[name] : undefined
  }
  const sent = asked.filter(
    ({ name, mandatory }) => isGiven(valueOf(name)) && (mandatory || !isGovernmentNumber(name)),
  )
  return {
    data: Object.fromEntries(sent.map(({ name }) => [name, valueOf(name)])),
    missing: asked.flatMap(({ name, mandatory }) =>
      mandatory && !isGiven(valueOf(name)) ? [name] : [],
    ),
  }
}
