import { Type, type Static } from '../../infra/http/schema/type.ts'
import {
  CurrencySchema,
  listOf,
  object,
  oneOf,
  pageQuery,
} from '../../infra/http/schema/wire-schema.ts'

const UmaProviderSchema = object('UmaProvider', {
  name: Type.String(),
  supportedRegions: Type.Array(Type.String()),
  domain: Type.String(),
  logoUrl: Type.Optional(Type.String({ format: 'url' })),
  supportedCurrencies: Type.Array(CurrencySchema),
  lei: Type.Optional(Type.String()),
  allowListStatus: Type.Boolean({ description: 'False: payments with it are blocked.' }),
})

export type UmaProviderBody = Static<typeof UmaProviderSchema>

export const UmaProviderListSchema = listOf('UmaProviderListResponse', UmaProviderSchema, {
  total: true,
})

export const UmaProviderQuerySchema = Type.Object({
  countryCode: Type.Optional(Type.String({ format: 'iso3166-1-alpha-2' })),
  currencyCode: Type.Optional(Type.String()),
  hasBlockedProviders: Type.Optional(
    Type.Boolean({ description: 'False leaves out providers that are not allowed.' }),
  ),
  ...pageQuery,
  sortOrder: Type.Optional(oneOf(['asc', 'desc'], { default: 'desc' })),
})

export type UmaProviderQuery = Static<typeof UmaProviderQuerySchema>
