import { Type } from '../../infra/http/schema/type.ts'
import { toWireTime } from '../../kernel/clock.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { read, write, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import { createKycLink } from './kyc-link/create-kyc-link.ts'
import { mustFindVerification } from './find-verification.ts'
import { checkRedirectUri } from './kyc-link/rules.ts'
import { listVerifications } from './list-verifications.ts'
import {
  KycLinkCreateSchema,
  KycLinkSchema,
  VerificationListQuery,
  VerificationListSchema,
  VerificationRequestSchema,
  VerificationSchema,
} from './schema.ts'
import { submitVerification } from './submission/submit-verification.ts'
import { verificationToWire } from './wire.ts'

const tag = 'KYC/KYB Verifications'

export const routes: readonly Operation[] = [
  write({
    id: 'createCustomerKycLink',
    method: 'POST',
    path: '/customers/{customerId}/kyc-link',
    tag,
    needs: 'MANAGE',
    summary: 'Make a link to the hosted verification flow',
    description:
      'For one applicant, valid for 24 hours and until the flow is completed. It serves individuals and businesses.',
    params: Type.Object({ customerId: pathId('Id of the customer, `Customer:<uuid>`.') }),
    body: KycLinkCreateSchema,
    bodyOptional: true,
    example: { redirectUri: 'https://example.com/verified' },
    replies: { 201: KycLinkSchema },
    errors: ['USER_NOT_FOUND', 'CONFLICT'],
    // A replay answers the same link, so the stored answer holds its token (KYC-23).
    sealStoredReply: true,
    check: ({ body }) => checkRedirectUri(body),
    handler: async ({ work, params: { customerId }, body }) => {
      const link = await createKycLink(work, mustParseId('customer', customerId), body)
      const expiresAt = toWireTime(link.expiresAt)
      return reply(201, { kycUrl: link.kycUrl, expiresAt, provider: 'SUMSUB' as const })
    },
  }),
  write({
    id: 'createVerification',
    method: 'POST',
    path: '/verifications',
    tag,
    needs: 'MANAGE',
    summary: 'Submit a customer for verification',
    description:
      'Whatever is lacking is in `errors`; supply it and submit again. Under review a repeated submission changes nothing.',
    body: VerificationRequestSchema,
    example: { customerId: 'Customer:01994a5e-7c00-7000-8000-000000000001' },
    replies: { 200: VerificationSchema },
    errors: ['USER_NOT_FOUND', 'CONFLICT'],
    handler: async ({ work, body: { customerId } }) => {
      const verification = await submitVerification(work, mustParseId('customer', customerId))
      return reply(200, verificationToWire(verification))
    },
  }),
  read({
    id: 'listVerifications',
    path: '/verifications',
    tag,
    needs: 'VIEW',
    summary: 'List verifications',
    description:
      'Newest first. The first page of one customer also shows its current verification beside `data`.',
    query: VerificationListQuery,
    replies: { 200: VerificationListSchema },
    errors: ['USER_NOT_FOUND'],
    handler: async ({ work, query }) => {
      const page = await listVerifications(work, query)
      const data = page.data.map(verificationToWire)
      const isOfOne = query.customerId !== undefined && query.cursor === undefined
      return reply(200, { ...(isOfOne && data[0]), ...page, data })
    },
  }),
  read({
    id: 'getVerification',
    path: '/verifications/{verificationId}',
    tag,
    needs: 'VIEW',
    summary: 'Read a verification',
    description: 'Its state and, where something is missing, what to supply.',
    params: Type.Object({
      verificationId: pathId('Id of the verification, `Verification:<uuid>`.'),
    }),
    replies: { 200: VerificationSchema },
    errors: ['REFERENCE_NOT_FOUND'],
    handler: async ({ work, params: { verificationId } }) => {
      const id = mustParseId('verification', verificationId)
      return reply(200, verificationToWire(await mustFindVerification(work, id)))
    },
  }),
]
