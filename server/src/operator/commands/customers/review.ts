import { Type } from '../../../infra/http/schema/type.ts'
import { idField } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { formatId, mustParseId, newUuid, parseId, type Id } from '../../../kernel/ids.ts'
import { audit } from '../../../infra/work/audit.ts'
import type { Deps } from '../../../infra/deps.ts'
import { inWork } from '../../../infra/work/in-work.ts'
import { findPlatform } from '../../../infra/platforms.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  isOutside,
  ownerInCustomer,
  ownerToWire,
} from '../../../features/beneficial-owners/index.ts'
import { customerToWire, maskedCustomerToWire } from '../../../features/customers/index.ts'
import { documentToWire, maskedDocumentToWire } from '../../../features/documents/index.ts'
import {
  closeFlags,
  decideReview,
  dismissFlags,
  escalateReview,
  findPlatformOfVerification,
  holdCustomer,
  lockReview,
  lockReviewIfUnchanged,
  lockReviewVersion,
  maskSnapshot,
  readReview,
  releaseCustomer,
  returnReview,
  reviewStateOf,
  verificationToWire,
  wasBlocked,
  type Review,
} from '../../../features/verifications/index.ts'
import {
  defineCommand,
  onlyArg,
  record,
  UsageError,
  type Input,
  type CommandHead,
} from '../../command.ts'
import { operatorOf } from '../../in-platform.ts'
import { writeNewFile } from '../../../infra/files/new-file.ts'
import { openDocument } from '../../queries/open-document.ts'
import { findPlatformOfCustomer } from '../../queries/operator-store.ts'
import { listReviews } from '../lists/list-reviews.ts'
import { ShownSchema, DecidedSchema } from './review-answers.ts'
import { shownAlerts, shownScreenings } from '../../queries/shown-screenings.ts'
import { isVisible, visibleOwner } from '../../access/visible-platforms.ts'

const NOTE = { note: { about: 'Kept with the decision.', value: 'TEXT' } }
const EXPECT = {
  expect: {
    about: 'Only if it stands like this, as `review show` says under state, or its beginning.',
    value: 'STATE',
  },
}
const ERROR = {
  error: {
    about:
      'A JSON error entry, {"type", "resourceId", "field", "acceptedDocumentTypes", "reason"}; all but the type may be left out. May be repeated.',
    value: 'JSON',
    repeatable: true,
  },
}

type Found = Readonly<{ platformId: Id<'platform'> | undefined }>

/** Runs a step as a Work of the platform that the named thing belongs to; decisions leave their own audit entries. */
async function inPlatformOf<T>(
  deps: Deps,
  { platformId }: Found,
  body: (work: Work) => Promise<T>,
): Promise<T> {
  const isSeen = platformId !== undefined && isVisible(deps, platformId)
  const platform = isSeen && (await findPlatform(deps.db.read, platformId))
  if (!platform) return fail('REFERENCE_NOT_FOUND')
  return inWork(deps, { platform, actor: operatorOf(deps), requestId: newUuid() }, body)
}

/** `ID` is a Verification id or a Customer id. */
async function platformOf(deps: Deps, id: string): Promise<Found> {
  const verificationId = parseId('verification', id)
  const platformId = verificationId
    ? await visibleOwner(deps, findPlatformOfVerification(deps.db.read, verificationId))
    : await visibleOwner(deps, findPlatformOfCustomer(deps.db.read, mustParseId('customer', id)))
  return { platformId }
}

const shown = (
  { keyring }: Work,
  { customer, verification }: Review,
  toShow: typeof customerToWire = maskedCustomerToWire,
) => ({
  customer: toShow(keyring, customer),
  ...(verification && { verification: verificationToWire(verification) }),
})

function errorsOf(input: Input): unknown[] {
  return input.options('error').map((text) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      throw new UsageError(`--error is a JSON object, not ${text}.`)
    }
  })
}

/** A command that takes an ID, does something to what it names, and shows what became of it. */
const step = (
  {
    takes = 'id',
    options = {},
    ...head
  }: Pick<CommandHead, 'name' | 'access' | 'about' | 'options'> & { takes?: string },
  run: (work: Work, id: string, input: Input) => Promise<Review>,
) =>
  defineCommand({
    ...head,
    takes: [takes],
    options: { ...options, ...EXPECT },
    answers: DecidedSchema,
    async run(deps, input) {
      const id = onlyArg(input, takes)
      const seen = input.option('expect')
      return inPlatformOf(deps, await platformOf(deps, id), async (work) => {
        if (seen !== undefined) await lockReviewIfUnchanged(work, id, seen)
        return shown(work, await run(work, id, input))
      })
    },
  })

const show = defineCommand({
  name: 'review show',
  access: { roles: ['VIEWER'], rolesOfOption: { reveal: ['REVIEWER'] } },
  about: 'A customer with its owners, documents and verification, as they are and as submitted.',
  takes: ['id'],
  options: {
    reveal: { about: 'Show government numbers in full; leaves an audit entry.', flag: true },
  },
  answers: ShownSchema,
  async run(deps, input) {
    const id = onlyArg(input, 'id')
    const isRevealed = input.flag('reveal')
    return inPlatformOf(deps, await platformOf(deps, id), async (work) => {
      const file = await readReview(work, id)
      const { customer, owners, documents, verification, snapshot, decisions, flags } = file
      const subjects = [
        formatId('customer', customer.id),
        ...owners.map((owner) => formatId('beneficialOwner', owner.id)),
      ]
      const [screenings, alerts] = await Promise.all([
        shownScreenings(work, subjects),
        shownAlerts(work, subjects),
      ])
      if (isRevealed) audit(work, { action: 'review reveal', resource: id })
      const ownerShown = isRevealed ? ownerToWire : ownerInCustomer
      const paperShown = isRevealed ? documentToWire : maskedDocumentToWire
      return {
        platformId: formatId('platform', work.platform.id),
        state: reviewStateOf({ customer, verification }),
        ...shown(work, { customer, verification }, isRevealed ? customerToWire : undefined),
        isOwnerReview: verification?.isOwnerReview === true,
        ownerIds: owners.filter(isOutside).map(({ id }) => formatId('beneficialOwner', id)),
        beneficialOwners: owners.map((owner) => ({
          ...ownerShown(work.keyring, owner),
          covered: owner.coverage === 'COVERED',
        })),
        documents: documents.map((one) => ({
          ...paperShown(one),
          mediaType: one.mediaType,
        })),
        flags: flags.map((flag) => ({ ...flag, raisedAt: toWireTime(flag.raisedAt) })),
        screenings,
        alerts,
        decisions: decisions.map(({ orderId, providerId, decidedAt, evidence, decision }) => ({
          orderId: formatId('order', orderId),
          providerId: formatId('provider', providerId),
          decision,
          decidedAt: toWireTime(decidedAt),
          ...(evidence !== undefined && { evidence }),
        })),
        ...(snapshot && {
          snapshot: {
            id: snapshot.id,
            takenAt: toWireTime(snapshot.takenAt),
            ...(isRevealed ? snapshot.content : maskSnapshot(snapshot.content)),
          },
        }),
      }
    })
  },
})

const document = defineCommand({
  name: 'review document',
  access: { roles: ['REVIEWER'] },
  about: 'Write the file of a document, decrypted, to look at it; leaves an audit entry.',
  takes: ['documentId'],
  options: {
    to: {
      about: 'Path of the file to write; it must not exist.',
      value: 'PATH',
      required: true,
      isPath: true,
    },
  },
  answers: record({
    documentId: idField('document'),
    to: Type.String(),
    mediaType: Type.String(),
    bytes: Type.Integer(),
  }),
  async run(deps, input) {
    const documentId = onlyArg(input, 'documentId')
    const to = input.option('to') ?? ''
    const { mediaType, bytes } = await openDocument(deps, documentId)
    await writeNewFile(to, [bytes])
    return { documentId, to, mediaType, bytes: bytes.length }
  },
})

/** What providers found is looked at with the decision: it is off the list, and a block needs a note (PROV-107). */
async function closing(
  work: Work,
  review: Review,
  { note, isUndoing }: Readonly<{ note: string | undefined; isUndoing: boolean }>,
): Promise<Review> {
  await closeFlags(work, review.customer.id, { note, isUndoing })
  return review
}

/** What a block stopped is released by two (PROV-107). */
async function fourEyesFor(deps: Deps, input: Input) {
  const id = onlyArg(input, 'id')
  return inPlatformOf(deps, await platformOf(deps, id), async (work) => {
    const { customer } = await lockReview(work, id)
    return (await wasBlocked(work, customer.id)) ? ('always' as const) : undefined
  })
}

async function actsOn(deps: Deps, { args: [id = ''] }: Input): Promise<unknown> {
  return inPlatformOf(deps, await platformOf(deps, id), (work) => lockReviewVersion(work, id))
}

const decisions = {
  approve: step(
    {
      name: 'review approve',
      access: { roles: ['REVIEWER'], fourEyesFor, actsOn, writes: true },
      about: 'Approve, for good.',
      options: NOTE,
    },
    async (work, id, input) => {
      const note = input.option('note')
      const decided = await decideReview(work, id, { outcome: 'APPROVED', note })
      return closing(work, decided, { note, isUndoing: true })
    },
  ),
  reject: step(
    {
      name: 'review reject',
      access: { roles: ['REVIEWER'], writes: true },
      about: 'Reject, for good; without --error as APPLICANT_REJECTED.',
      options: { ...ERROR, ...NOTE },
    },
    async (work, id, input) => {
      const note = input.option('note')
      const decision = { outcome: 'REJECTED', errors: errorsOf(input), note } as const
      return closing(work, await decideReview(work, id, decision), { note, isUndoing: false })
    },
  ),
  return: step(
    {
      name: 'review return',
      access: { roles: ['REVIEWER'], writes: true },
      about: 'Give it back to the platform with what is to be done.',
      options: { error: { ...ERROR.error, required: true } },
    },
    (work, id, input) => returnReview(work, id, { errors: errorsOf(input) }),
  ),
  escalate: step(
    {
      name: 'review escalate',
      access: { roles: ['REVIEWER'], writes: true },
      about: 'Mark it as one that a person looks at.',
    },
    escalateReview,
  ),
  hold: step(
    {
      name: 'review hold',
      access: { roles: ['REVIEWER'], writes: true },
      about: 'Put a pending or approved customer on hold, with or without something to be done.',
      takes: 'customerId',
      options: { ...ERROR, ...NOTE },
    },
    (work, id, input) =>
      holdCustomer(work, mustParseId('customer', id), {
        errors: errorsOf(input),
        note: input.option('note'),
      }),
  ),
  release: step(
    {
      name: 'review release',
      access: { roles: ['REVIEWER'], fourEyes: 'always', actsOn, writes: true },
      about: 'End a hold.',
      takes: 'customerId',
      options: NOTE,
    },
    async (work, id, input) => {
      const note = input.option('note')
      const released = await releaseCustomer(work, mustParseId('customer', id), { note })
      return closing(work, released, { note, isUndoing: true })
    },
  ),
  dismiss: step(
    {
      name: 'review dismiss',
      access: { roles: ['REVIEWER'], fourEyes: 'always', actsOn, writes: true },
      about: 'Take what screenings and alerts found off the list; the customer stays as it is.',
      takes: 'customerId',
      options: { note: { ...NOTE.note, required: true } },
    },
    async (work, id, input) => {
      const note = input.option('note')
      return dismissFlags(work, mustParseId('customer', id), { note })
    },
  ),
}

export const reviewCommands = { list: listReviews, show, document, ...decisions }
