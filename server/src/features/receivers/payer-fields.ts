import { isGovernmentNumber } from '../customers/index.ts'
import { saysSomething, type RequestedField, type PayerData } from '../uma/index.ts'
import type { SenderInfo } from './sender.ts'

/** The fields that a receiver asks for and the sender's record lacks (UMA-3). */
export const missingFieldsOf = (
  asked: readonly RequestedField[],
  info: SenderInfo,
): readonly RequestedField[] => asked.filter(({ name }) => !saysSomething(info[name]))

/** Each requested field once, mandatory where it is mandatory in any currency. */
export function mergeAsked(asked: readonly RequestedField[]): RequestedField[] {
  const byName = new Map<RequestedField['name'], boolean>()
  for (const { name, mandatory } of asked) {
    byName.set(name, (byName.get(name) ?? false) || mandatory)
  }
  return [...byName].map(([name, mandatory]) => ({ name, mandatory }))
}

export type PayerFields = Readonly<{
  /** The payer data for the receiver, by field name. */
  data: PayerData
  /** Mandatory fields without a value. */
  missing: readonly RequestedField['name'][]
}>

/** Values come from the sender's record, then from the request; a government number is sent only where mandatory (UMA-6). */
export function payerFieldsOf(
  asked: readonly RequestedField[],
  info: SenderInfo,
  requestInfo: Readonly<Record<string, unknown>>,
): PayerFields {
  const valueOf = (name: RequestedField['name']): unknown => {
    if (saysSomething(info[name])) return info[name]
    return Object.hasOwn(requestInfo, name) ? requestInfo[name] : undefined
  }
  const sent = asked.filter(
    ({ name, mandatory }) =>
      saysSomething(valueOf(name)) && (mandatory || !isGovernmentNumber(name)),
  )
  return {
    data: Object.fromEntries(sent.map(({ name }) => [name, valueOf(name)])),
    missing: asked.flatMap(({ name, mandatory }) =>
      mandatory && !saysSomething(valueOf(name)) ? [name] : [],
    ),
  }
}
