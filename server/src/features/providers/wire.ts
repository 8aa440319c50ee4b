import { Type } from '../../infra/http/schema/type.ts'
import { toWireTime } from '../../kernel/clock.ts'
import { formatId } from '../../kernel/ids.ts'
import { amountToWire } from '../../kernel/money/wire-money.ts'
import {
  PORTS,
  PROVIDER_STATUSES,
  type Provider,
  type RegisteredProvider,
} from '../../kernel/ports.ts'
import {
  environmentSchema,
  idField,
  oneOf,
  timestamp,
} from '../../infra/http/schema/wire-schema.ts'

const texts = Type.Optional(Type.Array(Type.String()))

/** A provider as operators see it: without secrets. Built-in ones have no id. */
export const providerFields = {
  providerId: Type.Optional(idField('provider')),
  name: Type.String(),
  kind: Type.String(),
  environment: environmentSchema(),
  ports: Type.Array(oneOf(PORTS)),
  url: Type.Optional(Type.String()),
  ca: Type.Optional(Type.String()),
  platforms: Type.Optional(Type.Array(idField('platform'))),
  rails: texts,
  currencies: texts,
  accountTypes: texts,
  status: oneOf(PROVIDER_STATUSES),
  config: Type.Record(Type.String(), Type.Unknown()),
  resendWindowSeconds: Type.Integer(),
  maxInFlight: Type.Integer(),
  authorizationDeadlineMs: Type.Integer(),
  paymentThreshold: Type.Object({ amount: Type.Integer(), currency: Type.String() }),
  createdAt: Type.Optional(timestamp()),
  updatedAt: Type.Optional(timestamp()),
}

export function providerToWire(provider: Provider | RegisteredProvider) {
  const { id, platformIds, paymentThreshold, url, ca, rails, currencies, accountTypes } = provider
  return {
    ...(id !== null && { providerId: formatId('provider', id) }),
    name: provider.name,
    kind: provider.kind,
    environment: provider.environment,
    ports: provider.ports,
    ...(url !== null && { url }),
    ...(ca !== null && { ca }),
    ...(platformIds && { platforms: platformIds.map((one) => formatId('platform', one)) }),
    ...(rails && { rails }),
    ...(currencies && { currencies }),
    ...(accountTypes && { accountTypes }),
    status: provider.status,
    config: provider.config,
    resendWindowSeconds: provider.resendWindowSeconds,
    maxInFlight: provider.maxInFlight,
    authorizationDeadlineMs: provider.authorizationDeadlineMs,
    paymentThreshold: { amount: amountToWire(paymentThreshold), currency: 'USD' },
    ...('createdAt' in provider && {
      createdAt: toWireTime(provider.createdAt),
      updatedAt: toWireTime(provider.updatedAt),
    }),
  }
}
