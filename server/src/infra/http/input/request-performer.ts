/** Makes the input of an operation of a request: a JSON body or a form, with its caller. */
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { requestIds } from '../../work/request-ids.ts'
import { isLarge, nextTurn } from '../edge/turn-after-large.ts'
import { identityOf } from '../identify.ts'
import { withForm } from './accept-forms.ts'
import { parseJsonBody } from './json-body.ts'
import { keepBody } from '../log-request.ts'
import type { Identity, Operation } from '../operation.ts'
import type { Call, Performer } from '../perform.ts'
import type { Reply } from '../reply.ts'
import { filePartsOf } from '../schema/wire-schema.ts'

type RequestPerformer = (request: FastifyRequest) => Promise<Reply>

type Sent = Pick<Call, 'rawBody' | 'body' | 'earlyErrors'>

/** Named one by one, because copies of objects take several times as long. */
function callOf(request: FastifyRequest, { rawBody, body, earlyErrors }: Sent): Call {
  const { actor, platform } = identityOf(request) as Identity
  const { url, params, query } = request
  const { requestId, clientRequestId } = requestIds(request)
  const headers = request.headers as Call['headers']
  return {
    actor,
    platform,
    requestId,
    clientRequestId,
    url,
    params,
    query,
    headers,
    rawBody,
    body,
    earlyErrors,
  }
}

const NO_BYTES = Buffer.alloc(0)

export const jsonPerformer =
  (perform: Performer): RequestPerformer =>
  async (request) => {
    const rawBody = Buffer.isBuffer(request.body) ? request.body : NO_BYTES
    const type = request.headers['content-type']
    const body = rawBody.length > 0 ? parseJsonBody(rawBody, type) : undefined
    keepBody(request, body, rawBody.length)
    if (isLarge(rawBody)) await nextTurn()
    return perform(callOf(request, { rawBody, body }))
  }

export function formPerformer(
  perform: Performer,
  operation: Operation,
  { deps }: Readonly<{ deps: Deps }>,
): RequestPerformer {
  const { body, form } = operation
  const fileBytesMax = form?.fileBytesMax ?? 0
  const limits = { fileParts: body ? filePartsOf(body) : [], fileBytesMax }
  return (request) =>
    withForm(deps, { request, ...limits }, ({ parts, errors, fingerprint }) =>
      perform(callOf(request, { rawBody: fingerprint, body: parts, earlyErrors: errors })),
    )
}
