import { Type } from '../../infra/http/schema/type.ts'
import { listOf, object, pageQuery } from '../../infra/http/schema/wire-schema.ts'

export const DiscoveriesQuery = Type.Object({
  country: Type.Optional(Type.String({ format: 'iso3166-1-alpha-2', pattern: '^[A-Z]{2}$' })),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
})

export const DiscoveryListResponse = object('DiscoveryListResponse', {
  data: Type.Array(
    object('Discovery', {
      bankName: Type.String(),
      displayName: Type.String(),
      country: Type.String(),
      currency: Type.String(),
    }),
  ),
})

export const VaspListResponse = listOf(
  'VaspListResponse',
  object('Vasp', {
    vaspName: Type.String(),
    url: Type.Optional(Type.String({ format: 'url' })),
  }),
)

export const VaspsQuery = Type.Object(pageQuery)
