import { Type } from '../../../infra/http/schema/type.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { write, type Operation } from '../../../infra/http/operation.ts'
import { pathId } from '../../../infra/http/schema/wire-schema.ts'
import {
  checkOneContact,
  checkStoredChange,
  CustomerSchema,
  CustomerUpdateSchema,
} from '../../customers/index.ts'
import { changeCustomerById } from './change-customer.ts'
import { SIGNED_REFUSALS } from '../credentials/routes.ts'
import { isFinal } from '../signing/run-signed.ts'
import { ProcessingSchema, signedHeaders, SignedRequestChallengeSchema } from '../schema.ts'

/** The one operation on customers that a wallet may have to sign. */
export const customerRoute: Operation = write({
  id: 'updateCustomerById',
  method: 'PATCH',
  path: '/customers/{customerId}',
  tag: 'Customers',
  needs: 'MANAGE',
  summary: 'Change a customer',
  description:
    'Only the fields that are given change; null clears. `businessInfo` is merged field by field, `address` and lists are replaced. Where a wallet has an OTP credential for the `email` or `phoneNumber` that changes, the change has to be signed. Another `phoneNumber` of a customer under strong authentication needs a login of the last ten minutes, ends its sessions and the payments that await a proof, and is no factor before a code sent there was answered.',
  params: Type.Object({ customerId: pathId('Id of the customer, `Customer:<uuid>`.') }),
  headers: signedHeaders,
  body: CustomerUpdateSchema,
  example: { customerType: 'INDIVIDUAL', fullName: 'Ana Martins Souza' },
  replies: {
    200: Type.Union([CustomerSchema, ProcessingSchema]),
    202: SignedRequestChallengeSchema,
  },
  errors: [
    ...SIGNED_REFUSALS,
    'INVALID_UMA_ADDRESS',
    'MISSING_MANDATORY_USER_INFO',
    'END_USER_TERMS_VERSION_NOT_FOUND',
    'USER_NOT_FOUND',
    'CONFLICT',
    'SCA_SESSION_REQUIRED',
    'UMA_ADDRESS_EXISTS',
    'EMAIL_OTP_EMAIL_ALREADY_EXISTS',
    'EMAIL_OTP_CREDENTIAL_SET_CHANGED',
  ],
  sealStoredReply: true,
  keeps: isFinal,
  check: ({ body }) => checkOneContact(body),
  checkStored: ({ params, body }, reading) => checkStoredChange(reading, params.customerId, body),
  handler: ({ work, params: { customerId }, body, headers }) =>
    changeCustomerById(work, { id: mustParseId('customer', customerId), body, headers }),
})
