import { APPROVAL_QUESTION, IncomingPaymentDataSchema } from '../features/uma/index.ts'
import { API_VERSION } from '../infra/http/api-version.ts'
import { describeApi, type OpenApi } from '../infra/http/schema/openapi.ts'
import type { Settings } from '../infra/settings/settings.ts'
import { wireBrand } from '../infra/settings/wire-brand.ts'
import { dataSchemaOf, EVENT_TYPES, EVENTS } from '../webhooks/event-types.ts'
import { operations } from './operations.ts'

/** The published interface description of this installation. */
export function describe({
  publicUrl,
  wireBrand: word,
}: Pick<Settings, 'publicUrl' | 'wireBrand'>): OpenApi {
  return describeApi({
    operations,
    webhooks: EVENT_TYPES.map((type) => ({
      type,
      summary: EVENTS[type],
      dataSchema: dataSchemaOf(type),
      data: type.startsWith('INCOMING_PAYMENT.') ? IncomingPaymentDataSchema : undefined,
      question: type === 'INCOMING_PAYMENT.PENDING' ? APPROVAL_QUESTION : undefined,
    })),
    serverUrl: `${publicUrl}/${API_VERSION}`,
    brand: wireBrand(word),
  })
}
