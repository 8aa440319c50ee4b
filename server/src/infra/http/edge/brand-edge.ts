import type { WireBrand } from '../../settings/wire-brand.ts'
import type { Operation } from '../operation.ts'
import type { Call, Performer } from '../perform.ts'
import type { Reply } from '../reply.ts'

/** Maps requests and answers between the installation's brand and `Service` (CORE-11). */
export function brandedPerformer(
  perform: Performer,
  { form }: Pick<Operation, 'form'>,
  brand: WireBrand | undefined,
): Performer {
  if (!brand) return perform
  const isForm = form !== undefined
  return async (call) => {
    const reply = await perform(unbrandedCall(call, { brand, isForm }))
    return brandedReply(reply, brand)
  }
}

export function brandedReply(reply: Reply, brand: WireBrand | undefined): Reply {
  if (!brand) return reply
  const { status, body, headers } = reply
  return {
    ...reply,
    ...(body !== undefined && {
      body: status >= 400 ? brand.errorToWire(body) : brand.toWire(body),
    }),
    ...(headers && { headers: brandedHeaders(headers, brand) }),
  }
}

const brandedHeaders = (headers: Readonly<Record<string, string>>, brand: WireBrand) =>
  Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, brand.inText(text)]))

/** The parts of a form are no JSON, and none of them has a branded name. */
function unbrandedCall(
  call: Call,
  { brand, isForm }: Readonly<{ brand: WireBrand; isForm: boolean }>,
): Call {
  const query = brand.fromWire(call.query)
  const body = isForm ? { value: call.body, errors: [] } : brand.fromWire(call.body)
  const headers = brand.headersFromWire(call.headers)
  return {
    ...call,
    query: query.value,
    body: body.value,
    headers: headers.value,
    earlyErrors: [...(call.earlyErrors ?? []), ...query.errors, ...body.errors, ...headers.errors],
  }
}
