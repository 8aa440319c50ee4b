import { Type, type Static } from '../../infra/http/schema/type.ts'
import {
  idField,
  listOf,
  named,
  object,
  oneOf,
  pageQuery,
  SHOWN_ONCE,
  timestamp,
} from '../../infra/http/schema/wire-schema.ts'
import { PERMISSIONS } from '../../kernel/access/permissions.ts'

const PermissionSchema = named(
  'Permission',
  oneOf(PERMISSIONS, { description: 'None implies another.' }),
)

export const ApiTokenSchema = object('ApiToken', {
  id: idField('token'),
  name: Type.String(),
  permissions: Type.Array(PermissionSchema),
  clientId: Type.String({
    pattern: '^[0-9a-f]{32}$',
  }),
  clientSecret: Type.Optional(
    Type.String({
      ...SHOWN_ONCE,
    }),
  ),
  createdAt: timestamp(),
  updatedAt: timestamp(),
})

export type ApiTokenBody = Static<typeof ApiTokenSchema>

export const ApiTokenCreateSchema = object('ApiTokenCreateRequest', {
  name: Type.String({
    minLength: 1,
    description: '1 to 255 characters after trimming, no control characters.',
  }),
  permissions: Type.Array(PermissionSchema, { minItems: 1 }),
})

export const TokenListSchema = listOf('TokenListResponse', ApiTokenSchema, { total: true })

export const TokenListQuerySchema = Type.Object({
  name: Type.Optional(Type.String()),
  createdAfter: Type.Optional(timestamp()),
  createdBefore: Type.Optional(timestamp()),
  updatedAfter: Type.Optional(timestamp()),
  updatedBefore: Type.Optional(timestamp()),
  ...pageQuery,
})

export type TokenListQuery = Static<typeof TokenListQuerySchema>
