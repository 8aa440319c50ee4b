import { Type } from '../../../infra/http/schema/type.ts'
import { environmentSchema, idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { FEES, LIMIT } from '../../queries/shown-terms.ts'
import { record } from '../../command.ts'

const line = {
  platformId: idField('platform'),
  name: Type.String(),
  kind: Type.String(),
  environment: environmentSchema(),
  createdAt: timestamp(),
  clockOffsetSeconds: Type.Optional(Type.Integer()),
}

export const LineSchema = record(line)

export const CreatedSchema = record({
  platformId: idField('platform'),
  tokenId: idField('token'),
  clientId: Type.String(),
  clientSecret: Type.String(),
  webhookPublicKey: Type.String(),
})

export const ShownSchema = record({
  ...line,
  skipVerificationPaperwork: Type.Boolean(),
  strictIdentifiers: Type.Boolean(),
  travelRule: Type.Boolean(),
  umaDomain: Type.String(),
  webhookEndpoint: Type.Optional(Type.String()),
  onboardingUrl: Type.Optional(Type.String()),
  branding: Type.Optional(
    record({
      name: Type.Optional(Type.String()),
      color: Type.Optional(Type.String()),
      logo: Type.Optional(Type.String()),
    }),
  ),
  passkeyOrigins: Type.Optional(Type.Array(Type.String())),
  cardOrigins: Type.Optional(Type.Array(Type.String())),
  webhookPublicKey: Type.String(),
  currencies: Type.Array(
    record({
      currency: Type.String(),
      minAmount: Type.Integer(),
      maxAmount: Type.Integer(),
      enabledTransactionTypes: Type.Array(Type.String()),
    }),
  ),
  tokens: Type.Array(
    record({
      tokenId: idField('token'),
      name: Type.String(),
      permissions: Type.Array(Type.String()),
      clientId: Type.String(),
      createdAt: timestamp(),
      updatedAt: timestamp(),
    }),
  ),
  fees: record(FEES),
  limits: Type.Array(record(LIMIT)),
})
