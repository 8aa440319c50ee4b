/** How the contract tests call an operation that they know by its declaration alone. */
import type { Operation } from '../../src/infra/http/operation.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import type { Api } from '../kit/api.ts'
import { pdf } from '../kit/onboarding/document-files.ts'
import { sendForm } from '../kit/onboarding/documents.ts'
import type { TestPlatform } from '../kit/florin.ts'
import { OWNED, OWNED_FOR } from './owned-resources.ts'
import { shapeOf } from './sample.ts'

export const fill = (path: string, ids: Readonly<Record<string, string>> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(ids[name] ?? `Nothing:${newUuid()}`),
  )

/** What a request with a body has to say about itself. */
export const headersOf = ({ key }: Operation, type = 'application/json') => ({
  'content-type': type,
  ...(key === 'required' && { 'idempotency-key': newUuid() }),
})

/** What the query must say for the rest to be looked at: resources of the caller's own. */
export async function requiredQuery(
  { id, query }: Operation,
  caller: TestPlatform,
): Promise<Readonly<Record<string, string>>> {
  const { required = [] } = query ? shapeOf(query) : {}
  const given: Record<string, string> = {}
  for (const name of required) {
    const own = OWNED_FOR[id]?.[name] ?? OWNED[name]
    given[name] = (await own?.(caller)) ?? ''
  }
  return given
}

export type Sent = Readonly<{
  path: string
  query?: Readonly<Record<string, string>>
  body?: unknown
}>

/** With a body of its own form, the example unless another is given. */
export function callWith(api: Api, operation: Operation, sent: Sent) {
  const { method, form, example = {} } = operation
  const query = new URLSearchParams(sent.query)
  const path = query.size > 0 ? `${sent.path}?${query}` : sent.path
  const body = sent.body ?? example
  if (form) {
    return sendForm(api, { method, path, fields: body as Record<string, string>, file: pdf() })
  }
  if (method === 'GET') return api.send(method, path)
  return api.send(method, path, { headers: headersOf(operation), body: JSON.stringify(body) })
}
