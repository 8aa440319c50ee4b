// data table
/** Every message of the provider protocol with its schemas; the reference is generated from this list (PROV-150). */
import type { TSchema } from '../../../infra/http/schema/type.ts'
import {
  AuthorizationDecisionSchema,
  AuthorizationSchema,
  CardEventBatchSchema,
  CardRevealAnswerSchema,
  CardRevealSchema,
} from './cards.ts'
import { OrderSchema } from './orders.ts'
import {
  AlertBatchSchema,
  DepositBatchSchema,
  DocumentLinksAnswerSchema,
  DocumentLinksSchema,
  ListsQueuedSchema,
  ListVersionSchema,
  PricesSchema,
} from './pushes.ts'
import {
  AnswerSchema,
  AskAnswerSchema,
  CancelAnswerSchema,
  NotFoundAnswerSchema,
  ReportBatchSchema,
  ResultsSchema,
} from './reports.ts'

export type ProtocolMessage = Readonly<{
  method: 'GET' | 'POST'
  path: string
  ports: string
  body?: TSchema
  /** By status. */
  answers: Readonly<Record<number, TSchema>>
}>

/** Calls of the service, which a provider implements as far as its ports need them. */
export const TO_PROVIDER: readonly ProtocolMessage[] = [
  {
    method: 'POST',
    path: '{url}/orders',
    ports: 'all with orders',
    body: OrderSchema,
    answers: { 200: AnswerSchema },
  },
  {
    method: 'GET',
    path: '{url}/orders/{id}',
    ports: 'all with orders',
    answers: { 200: AskAnswerSchema, 404: NotFoundAnswerSchema },
  },
  {
    method: 'POST',
    path: '{url}/orders/{id}/cancel',
    ports: 'rails',
    answers: { 200: CancelAnswerSchema },
  },
  {
    method: 'POST',
    path: '{url}/card-reveals',
    ports: 'cards',
    body: CardRevealSchema,
    answers: { 200: CardRevealAnswerSchema },
  },
  { method: 'GET', path: '{url}/prices', ports: 'prices', answers: { 200: PricesSchema } },
  { method: 'GET', path: '{url}/lists', ports: 'screening', answers: { 200: ListVersionSchema } },
]

/** Calls of the provider, under `/providers/{providerId}` of the service. */
export const FROM_PROVIDER: readonly ProtocolMessage[] = [
  {
    method: 'POST',
    path: '/reports',
    ports: 'all with orders',
    body: ReportBatchSchema,
    answers: { 200: ResultsSchema },
  },
  {
    method: 'POST',
    path: '/deposits',
    ports: 'deposits',
    body: DepositBatchSchema,
    answers: { 200: ResultsSchema },
  },
  {
    method: 'POST',
    path: '/alerts',
    ports: 'identity, screening',
    body: AlertBatchSchema,
    answers: { 200: ResultsSchema },
  },
  {
    method: 'POST',
    path: '/lists',
    ports: 'screening',
    body: ListVersionSchema,
    answers: { 200: ListsQueuedSchema },
  },
  {
    method: 'POST',
    path: '/document-links',
    ports: 'identity',
    body: DocumentLinksSchema,
    answers: { 200: DocumentLinksAnswerSchema },
  },
  {
    method: 'POST',
    path: '/authorizations',
    ports: 'cards',
    body: AuthorizationSchema,
    answers: { 200: AuthorizationDecisionSchema },
  },
  {
    method: 'POST',
    path: '/card-events',
    ports: 'cards',
    body: CardEventBatchSchema,
    answers: { 200: ResultsSchema },
  },
  {
    method: 'POST',
    path: '/prices',
    ports: 'prices',
    body: PricesSchema,
    answers: { 200: ResultsSchema },
  },
]
