import { Type } from '../../infra/http/schema/type.ts'
import { failNotFound, mustParseId } from '../../kernel/ids.ts'
import { read, write, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import { checkCustomer } from './profile/check-customer.ts'
import { checkStoredCreation } from './profile/check-stored-customer.ts'
import { createCustomer } from './records/create-customer.ts'
import { isObject } from './profile/record.ts'
import { deleteCustomer } from './records/delete-customer.ts'
import { findCustomer } from './records/find-customer.ts'
import { listCustomers } from './list/list-customers.ts'
import { readTerms } from './terms/read-terms.ts'
import {
  CustomerCreateSchema,
  CustomerListQuery,
  CustomerListSchema,
  CustomerSchema,
  EndUserTermsSchema,
} from './schema.ts'
import { customerToWire } from './wire.ts'

const tag = 'Customers'
const params = Type.Object({ customerId: pathId('Id of the customer, `Customer:<uuid>`.') })

export const routes: readonly Operation[] = [
  write({
    id: 'createCustomer',
    method: 'POST',
    path: '/customers',
    tag,
    needs: 'MANAGE',
    summary: 'Create a customer',
    description:
      'An internal account for each of its currencies exists when the answer is sent. Without `currencies` the customer has, and goes on to have, all currencies of the platform.',
    body: CustomerCreateSchema,
    example: { customerType: 'INDIVIDUAL', fullName: 'Ana Martins', email: 'ana@example.com' },
    replies: { 201: CustomerSchema },
    errors: [
      'INVALID_UMA_ADDRESS',
      'MISSING_MANDATORY_USER_INFO',
      'END_USER_TERMS_VERSION_NOT_FOUND',
      'CONFLICT',
      'UMA_ADDRESS_EXISTS',
    ],
    // A stored answer may show a tax id.
    sealStoredReply: true,
    check: ({ body }, { platform, now }) =>
      isObject(body) ? checkCustomer({ record: body, isNamed: () => true, platform, now }) : [],
    checkStored: ({ body }, reading) => checkStoredCreation(reading, body),
    handler: async ({ work, body }) =>
      reply(201, customerToWire(work.keyring, await createCustomer(work, body))),
  }),
  read({
    id: 'listCustomers',
    path: '/customers',
    tag,
    needs: 'VIEW',
    summary: 'List customers',
    description: 'Newest first. All filters combine.',
    query: CustomerListQuery,
    replies: { 200: CustomerListSchema },
    handler: async ({ work, query }) => {
      const page = await listCustomers(work, query)
      const data = page.data.map((customer) => customerToWire(work.keyring, customer))
      return reply(200, { ...page, data })
    },
  }),
  read({
    id: 'getEndUserTerms',
    path: '/customers/end-user-terms',
    tag,
    needs: 'VIEW',
    summary: 'Read the current end-user terms',
    description:
      'The version to show to a customer; send it back in `endUserTermsConsent` when the customer accepts.',
    replies: { 200: EndUserTermsSchema },
    handler: async ({ work }) => reply(200, await readTerms(work)),
  }),
  read({
    id: 'getCustomerById',
    path: '/customers/{customerId}',
    tag,
    needs: 'VIEW',
    summary: 'Read a customer',
    description: 'A deleted customer is answered too, with `isDeleted` true.',
    params,
    replies: { 200: CustomerSchema },
    errors: ['USER_NOT_FOUND'],
    handler: async ({ work, params: { customerId } }) => {
      const customer = await findCustomer(work, mustParseId('customer', customerId))
      return reply(200, customerToWire(work.keyring, customer ?? failNotFound('customer')))
    },
  }),
  write({
    id: 'deleteCustomerById',
    method: 'DELETE',
    path: '/customers/{customerId}',
    tag,
    needs: 'MANAGE',
    summary: 'Delete a customer',
    description:
      'For good. Its accounts must be empty; they are closed, and what else only it could use ends. What happened stays readable.',
    params,
    replies: { 200: CustomerSchema },
    errors: ['USER_NOT_FOUND', 'CONFLICT', 'CUSTOMER_DELETED'],
    sealStoredReply: true,
    handler: async ({ work, params: { customerId } }) => {
      const customer = await deleteCustomer(work, mustParseId('customer', customerId))
      return reply(200, customerToWire(work.keyring, customer))
    },
  }),
]
