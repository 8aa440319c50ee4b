import { Type } from '../../../infra/http/schema/type.ts'
import type { FieldError } from '../../../kernel/errors.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { write, type Operation } from '../../../infra/http/operation.ts'
import { pathId } from '../../../infra/http/schema/wire-schema.ts'
import { InternalAccountSchema } from '../../internal-accounts/index.ts'
import { checkExportKey } from '../sessions/client-key.ts'
import { signed, signedErrors } from '../credentials/routes.ts'
import { exportWallet } from './export-wallet.ts'
import { runSigned } from '../signing/run-signed.ts'
import {
  AccountUpdateSchema,
  ExportResponseSchema,
  ExportSchema,
  ProcessingSchema,
  SignedRequestChallengeSchema,
} from '../schema.ts'
import { setPrivacy } from './set-privacy.ts'

const tag = 'Internal Accounts'
const params = Type.Object({
  accountId: pathId('Id of the internal account, `InternalAccount:<uuid>`.'),
})
const EXAMPLE_KEY =
  '041428d6df8e0732535ed07e684fbffb9bc378a0bc17e75476147eae18c6ed759f119121af17f05d7b17567e65ebda510f66e9687dfcff66ca4d2402afea0f2b82'

/** A change without fields is refused (SIGN-22). */
function checkNotEmpty(body: unknown): FieldError[] {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const isMissing = isObject && !('privateEnabled' in body)
  return isMissing ? [{ field: 'privateEnabled', message: 'is required' }] : []
}

export const accountRoutes: readonly Operation[] = [
  write({
    id: 'updateInternalAccount',
    method: 'PATCH',
    path: '/internal-accounts/{accountId}',
    tag,
    needs: 'TRANSACT',
    summary: 'Change a wallet',
    description: 'Switches the privacy of an embedded wallet; its owner signs the change.',
    params,
    body: AccountUpdateSchema,
    example: { privateEnabled: true },
    replies: {
      200: Type.Union([InternalAccountSchema, ProcessingSchema]),
      202: SignedRequestChallengeSchema,
    },
    errors: signedErrors,
    ...signed,
    check: ({ body }) => checkNotEmpty(body),
    handler: ({ work, params: { accountId }, body, headers }) => {
      const resourceId = mustParseId('internalAccount', accountId)
      return runSigned(work, setPrivacy, { resourceId, body, headers })
    },
  }),
  write({
    id: 'exportInternalAccount',
    method: 'POST',
    path: '/internal-accounts/{accountId}/export',
    tag,
    needs: 'TRANSACT',
    summary: 'Export the mnemonic of a wallet',
    description: 'Sealed to the device, and delivered once for each signed request.',
    params,
    body: ExportSchema,
    example: { clientPublicKey: EXAMPLE_KEY },
    replies: {
      200: Type.Union([ExportResponseSchema, ProcessingSchema]),
      202: SignedRequestChallengeSchema,
    },
    errors: signedErrors,
    ...signed,
    check: ({ body }) => checkExportKey(body),
    handler: ({ work, params: { accountId }, body, headers }) => {
      const resourceId = mustParseId('internalAccount', accountId)
      return runSigned(work, exportWallet, { resourceId, body, headers })
    },
  }),
]
