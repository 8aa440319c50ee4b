import { Type } from '../../infra/http/schema/type.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { audit } from '../../infra/work/audit.ts'
import { procedure, write, type Operation } from '../../infra/http/operation.ts'
import { noContent, reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import { CustomerSchema, customerToWire, type Channel } from '../customers/index.ts'
import { confirmCode } from './confirm-code.ts'
import { issueCode } from './issue-code.ts'
import { ContactVerificationConfirmSchema } from './schema.ts'

const tag = 'Contact Verification'
const params = Type.Object({ customerId: pathId('Id of the customer, `Customer:<uuid>`.') })

/** Sends the code after the transaction that stores its digest, so that no lock waits for a mail server. */
const sendOperation = (channel: Channel, { id, what }: { id: string; what: string }): Operation =>
  procedure({
    id,
    method: 'POST',
    path: `/customers/{customerId}/verify-${channel}`,
    tag,
    needs: 'MANAGE',
    summary: `Send a code to the customer’s ${what}`,
    description:
      'Valid for ten minutes; an earlier one is void. At most five in ten minutes. In the sandbox nothing is sent and the code is `123456`.',
    params,
    replies: { 204: null },
    errors: ['USER_NOT_FOUND', 'CONFLICT', 'NOT_IMPLEMENTED'],
    handler: async ({ params: { customerId }, inWork, keep }) => {
      const key = { customerId: mustParseId('customer', customerId), channel }
      const { messenger, to, code } = await inWork(async (work) => {
        const issued = await issueCode(work, key)
        audit(work, { action: id, resource: customerId })
        keep(work, noContent())
        return issued
      })
      await messenger({ to, code })
      return noContent()
    },
  })

const confirmOperation = (
  channel: Channel,
  { id, what }: { id: string; what: string },
): Operation =>
  write({
    id,
    method: 'POST',
    path: `/customers/{customerId}/verify-${channel}/confirm`,
    tag,
    needs: 'MANAGE',
    summary: `Confirm the customer’s ${what} with the code`,
    description: 'After five wrong codes a new one has to be sent.',
    params,
    body: ContactVerificationConfirmSchema,
    example: { code: '123456' },
    replies: { 200: CustomerSchema },
    errors: ['USER_NOT_FOUND', 'CONFLICT'],
    sealStoredReply: true,
    handler: async ({ work, params: { customerId }, body: { code } }) => {
      const key = { customerId: mustParseId('customer', customerId), channel }
      const result = await confirmCode(work, { ...key, code })
      return 'ok' in result ? result : reply(200, customerToWire(work.keyring, result))
    },
  })

const EMAIL = 'e-mail address'
const PHONE = 'phone number'

export const routes: readonly Operation[] = [
  sendOperation('email', { id: 'sendCustomerEmailVerification', what: EMAIL }),
  confirmOperation('email', { id: 'confirmCustomerEmailVerification', what: EMAIL }),
  sendOperation('phone', { id: 'sendCustomerPhoneVerification', what: PHONE }),
  confirmOperation('phone', { id: 'confirmCustomerPhoneVerification', what: PHONE }),
]
