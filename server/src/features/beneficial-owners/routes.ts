import { Type } from '../../infra/http/schema/type.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { read, write, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import { BeneficialOwnerSchema, isObject } from '../customers/index.ts'
import { checkOwner } from './check-owner.ts'
import { checkOwnerCreation, createBeneficialOwner } from './create-beneficial-owner.ts'
import { mustFindOwner } from './find-beneficial-owner.ts'
import { listBeneficialOwners } from './list-beneficial-owners.ts'
import {
  BeneficialOwnerCreateSchema,
  BeneficialOwnerListQuery,
  BeneficialOwnerListSchema,
  BeneficialOwnerUpdateSchema,
} from './schema.ts'
import { checkOwnerChange, updateBeneficialOwner } from './update-beneficial-owner.ts'
import { ownerToWire } from './wire.ts'

const tag = 'KYC/KYB Verifications'
const params = Type.Object({
  beneficialOwnerId: pathId('Id of the beneficial owner, `BeneficialOwner:<uuid>`.'),
})

const EXAMPLE = {
  customerId: 'Customer:01994a5e-7c00-7000-8000-000000000001',
  roles: ['UBO', 'CONTROL_PERSON'],
  ownershipPercentage: 60,
  personalInfo: {
    firstName: 'Ana',
    lastName: 'Martins',
    birthDate: '1980-05-17',
    nationality: 'US',
    address: { line1: '1 Main St', city: 'Oakland', postalCode: '94607', country: 'US' },
    idType: 'SSN',
    identifier: '123-45-6789',
  },
}

export const routes: readonly Operation[] = [
  write({
    id: 'createBeneficialOwner',
    method: 'POST',
    path: '/beneficial-owners',
    tag,
    needs: 'MANAGE',
    summary: 'Register a beneficial owner',
    description:
      'A person who owns or controls a business. Everybody who holds 25 % or more has to be registered, and one control person. One who is added after the business was submitted is reviewed by itself.',
    body: BeneficialOwnerCreateSchema,
    example: EXAMPLE,
    replies: { 201: BeneficialOwnerSchema },
    errors: ['USER_NOT_FOUND'],
    sealStoredReply: true,
    check: ({ body }, { now }) => (isObject(body) ? checkOwner(body, now) : []),
    checkStored: ({ body }, reading) => checkOwnerCreation(reading, body),
    handler: async ({ work, body }) =>
      reply(201, ownerToWire(work.keyring, await createBeneficialOwner(work, body))),
  }),
  read({
    id: 'listBeneficialOwners',
    path: '/beneficial-owners',
    tag,
    needs: 'VIEW',
    summary: 'List the beneficial owners of a business',
    description: 'Newest first.',
    query: BeneficialOwnerListQuery,
    replies: { 200: BeneficialOwnerListSchema },
    errors: ['USER_NOT_FOUND'],
    handler: async ({ work, query }) => {
      const page = await listBeneficialOwners(work, query)
      return reply(200, { ...page, data: page.data.map((one) => ownerToWire(work.keyring, one)) })
    },
  }),
  read({
    id: 'getBeneficialOwner',
    path: '/beneficial-owners/{beneficialOwnerId}',
    tag,
    needs: 'VIEW',
    summary: 'Read a beneficial owner',
    description: 'Personal data, share, roles and the state of the verification.',
    params,
    replies: { 200: BeneficialOwnerSchema },
    errors: ['REFERENCE_NOT_FOUND'],
    handler: async ({ work, params: { beneficialOwnerId } }) => {
      const owner = await mustFindOwner(work, mustParseId('beneficialOwner', beneficialOwnerId))
      return reply(200, ownerToWire(work.keyring, owner))
    },
  }),
  write({
    id: 'updateBeneficialOwner',
    method: 'PATCH',
    path: '/beneficial-owners/{beneficialOwnerId}',
    tag,
    needs: 'MANAGE',
    summary: 'Change a beneficial owner',
    description:
      'Only the fields that are given change; null clears an optional one. `personalInfo` is merged field by field, `address` and `roles` are replaced. What is under review stays as it was submitted: an owner whose name, date of birth, nationality, share or roles change afterwards is `UNVERIFIED` until reviewed.',
    params,
    body: BeneficialOwnerUpdateSchema,
    example: { personalInfo: { email: 'ana@example.com' } },
    replies: { 200: BeneficialOwnerSchema },
    errors: ['REFERENCE_NOT_FOUND', 'USER_NOT_FOUND'],
    sealStoredReply: true,
    checkStored: ({ params: { beneficialOwnerId }, body }, reading) =>
      checkOwnerChange(reading, beneficialOwnerId, body),
    handler: async ({ work, params: { beneficialOwnerId }, body }) => {
      const id = mustParseId('beneficialOwner', beneficialOwnerId)
      return reply(200, ownerToWire(work.keyring, await updateBeneficialOwner(work, id, body)))
    },
  }),
]
