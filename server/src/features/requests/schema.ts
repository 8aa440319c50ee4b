import { Type, type Static } from '../../infra/http/schema/type.ts'
import { listOf, object, pageQuery, timestamp } from '../../infra/http/schema/wire-schema.ts'

/** What is shown of every request, to a platform and to an operator. */
export const REQUEST_FIELDS = {
  requestId: Type.String(),
  clientRequestId: Type.Optional(Type.String()),
  at: timestamp(),
  method: Type.String(),
  path: Type.String(),
  operation: Type.Optional(Type.String()),
  status: Type.Integer(),
  durationMs: Type.Integer(),
  actor: Type.Optional(Type.String()),
  idempotencyKey: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
}

const LoggedRequestSchema = object('LoggedRequest', REQUEST_FIELDS)

export type LoggedRequest = Static<typeof LoggedRequestSchema>

export const RequestListSchema = listOf('LoggedRequestListResponse', LoggedRequestSchema)

export const RequestListQuerySchema = Type.Object(pageQuery)

export type RequestListQuery = Static<typeof RequestListQuerySchema>
