import { Type } from '../../infra/http/schema/type.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { read, write, type Operation } from '../../infra/http/operation.ts'
import { noContent, reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import { confirmPasskey } from './factors/confirm-passkey.ts'
import { confirmTotp } from './factors/confirm-totp.ts'
import { deletePasskey } from './factors/delete-passkey.ts'
import { loginRoutes } from './logins/routes.ts'
import { resetRoutes } from './resets/routes.ts'
import { mustFindScaCustomer } from './customers/sca-customer.ts'
import {
  ConfirmRequestSchema,
  ConfirmResponseSchema,
  EnrolRequestSchema,
  EnrolStartSchema,
  ScaFactorListSchema,
  ScaQuerySchema,
} from './schema.ts'
import { startPasskeyEnrolment, startTotpEnrolment } from './factors/start-enrolment.ts'
import { factorsToWire } from './wire.ts'

const tag = 'Strong Customer Authentication'
const query = ScaQuerySchema

const factorRoutes: readonly Operation[] = [
  read({
    id: 'listScaFactors',
    path: '/sca/factors',
    tag,
    needs: 'VIEW',
    summary: 'List the factors that a customer can use',
    description:
      'The phone number for codes by SMS, the authenticator app and passkeys that are enrolled.',
    query,
    replies: { 200: ScaFactorListSchema },
    errors: ['USER_NOT_FOUND', 'CONFLICT'],
    handler: async ({ work, query: { customerId } }) => {
      const { factors } = await mustFindScaCustomer(work, mustParseId('customer', customerId))
      return reply(200, factorsToWire(factors))
    },
  }),
  write({
    id: 'startScaFactorEnrollment',
    method: 'POST',
    path: '/sca/factors',
    tag,
    needs: 'MANAGE',
    summary: 'Begin to enrol an authenticator app or a passkey',
    description:
      'To be confirmed within ten minutes; one begun before is void. Where the customer has a factor already, it needs a login of the last ten minutes, as do its confirmation and the removal of a passkey.',
    query,
    body: EnrolRequestSchema,
    example: { type: 'TOTP' },
    replies: { 200: EnrolStartSchema },
    errors: ['USER_NOT_FOUND', 'CONFLICT', 'PASSKEY_ALREADY_ENROLLED', 'SCA_SESSION_REQUIRED'],
    showsOnce: true,
    handler: async ({ work, query, body: { type } }) => {
      const customerId = mustParseId('customer', query.customerId)
      if (type === 'TOTP')
        return reply(200, { type, ...(await startTotpEnrolment(work, customerId)) })
      const { options, allowedOrigins, relyingPartyId } = await startPasskeyEnrolment(
        work,
        customerId,
      )
      return reply(200, { type, options, allowedOrigins: [...allowedOrigins], relyingPartyId })
    },
  }),
  write({
    id: 'confirmScaFactorEnrollment',
    method: 'POST',
    path: '/sca/factors/confirm',
    tag,
    needs: 'MANAGE',
    summary: 'Confirm a factor with its first proof',
    description:
      'The recovery codes of an authenticator app are shown once. After five wrong proofs the enrolment has to begin again. In the sandbox the code is `123456`; passkeys are really verified.',
    query,
    body: ConfirmRequestSchema,
    example: { type: 'TOTP', secret: '00'.repeat(20), code: '123456' },
    replies: { 200: ConfirmResponseSchema },
    errors: ['USER_NOT_FOUND', 'CONFLICT', 'SCA_SESSION_REQUIRED'],
    showsOnce: true,
    handler: async ({ work, query, body }) => {
      const customerId = mustParseId('customer', query.customerId)
      const { type } = body
      if (type === 'TOTP') {
        const codes = await confirmTotp(work, { customerId, secret: body.secret, code: body.code })
        return 'ok' in codes ? codes : reply(200, { type, recoveryCodes: [...codes] })
      }
      const { credential, origin } = body
      const passkey = await confirmPasskey(work, { customerId, credential, origin })
      if ('ok' in passkey) return passkey
      return reply(200, { type, factor: { factor: type, credentialId: passkey.credentialId } })
    },
  }),
  write({
    id: 'deleteScaFactor',
    method: 'DELETE',
    path: '/sca/factors/{credentialId}',
    tag,
    needs: 'MANAGE',
    summary: 'Remove a passkey',
    description: 'Needs a login of the last ten minutes.',
    params: Type.Object({
      credentialId: pathId('Id of the passkey, as the list of factors shows it.'),
    }),
    query,
    replies: { 204: null },
    errors: ['USER_NOT_FOUND', 'REFERENCE_NOT_FOUND', 'CONFLICT', 'SCA_SESSION_REQUIRED'],
    handler: async ({ work, query, params: { credentialId } }) => {
      const customerId = mustParseId('customer', query.customerId)
      await deletePasskey(work, { customerId, credentialId })
      return noContent()
    },
  }),
]

export const routes: readonly Operation[] = [...factorRoutes, ...loginRoutes, ...resetRoutes]
