import type { FastifyInstance, FastifyReply } from 'fastify'
import { countReviews } from '../../../features/verifications/index.ts'
import { openDocument, type OpenDocument } from '../../../operator/queries/open-document.ts'
import { html } from '../../../pages/html.ts'
import {
  ageColumn,
  codeColumn,
  idColumn,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  timeColumn,
  badge,
} from '../../cells/cells.ts'
import { detailScreen } from '../../screens/detail-page.ts'
import { HEADERS } from '../../layout.ts'
import type { Action, Column, Field, Gate, Section } from '../../section.ts'
import { errorEntries } from './review-errors.ts'
import {
  isDecidable,
  isOwnerReview,
  isUnderReview,
  nameOf,
  statusOf,
  verificationStatusOf,
  type Review,
} from './review-file.ts'
import { lastAction, reviewView } from './review-view.ts'
import { mustBeCallable } from '../../../operator/access/must-be-allowed.ts'
import { reviewCommands } from '../../../operator/commands/customers/review.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof reviewCommands.list>[number]

const NOTE: Field = {
  name: 'note',
  label: 'Note',
  kind: 'text',
  hint: 'Kept with the decision; the platform does not see it.',
}

const VERIFICATION = statusColumn<Line>('Verification', 'verificationStatus')

/** With who was added or changed after the submission, by name. */
const VERIFICATION_AND_OWNERS: Column<Line> = {
  ...VERIFICATION,
  cell: (row, visit) => {
    const names = row.ownerNames ?? []
    return html`${VERIFICATION.cell(row, visit)}${
      names.length === 0
        ? ''
        : html`<span class="changed">Owners not covered: ${names.join(', ')}</span>`
    }`
  },
}

/** A decision names the customer: its open verification is meant, or the customer itself, as the page showed it. */
const decision = (action: Omit<Action<Review>, 'args' | 'options'>): Action<Review> => ({
  ...action,
  args: ({ customer }) => [customer.id],
  options: ({ state }) => ({ expect: state }),
})

const ACTIONS: readonly Action<Review>[] = [
  decision({
    name: 'approve',
    label: 'Approve',
    command: reviewCommands.approve,
    tone: 'good',
    about: 'For good. The platform is told, and the customer may be served.',
    fields: [NOTE],
    isOffered: isDecidable,
    done: 'Approved.',
  }),
  decision({
    name: 'approve-owners',
    label: 'Approve the owners',
    command: reviewCommands.approve,
    tone: 'good',
    about: 'For good. The platform is told; the business stays as it is.',
    fields: [NOTE],
    isOffered: (row) => isOwnerReview(row) && isUnderReview(row),
    done: 'The owners are approved.',
  }),
  decision({
    name: 'return',
    label: 'Return to the platform',
    command: reviewCommands.return,
    about: 'The platform is told what to mend, and submits again.',
    part: errorEntries({ name: 'return', isRejection: false }),
    isOffered: (row) => isUnderReview(row) && !isOwnerReview(row) && statusOf(row) !== 'HOLD',
    done: 'Returned to the platform.',
  }),
  decision({
    name: 'return-owners',
    label: 'Return to the platform',
    command: reviewCommands.return,
    about: 'The platform is told what to mend; the business stays as it is.',
    part: errorEntries({ name: 'return-owners', isRejection: false }),
    isOffered: (row) => isOwnerReview(row) && isUnderReview(row),
    done: 'Returned to the platform.',
  }),
  decision({
    name: 'escalate',
    label: 'Escalate',
    command: reviewCommands.escalate,
    about: 'Marks it as one that a person looks at.',
    isOffered: (row) => verificationStatusOf(row) === 'IN_PROGRESS',
    done: 'Escalated.',
  }),
  decision({
    name: 'hold',
    label: 'Put on hold',
    command: reviewCommands.hold,
    about:
      'The customer cannot be served until it is released. Say what is to be done, if anything.',
    part: errorEntries({ name: 'hold', isRejection: false }),
    fields: [NOTE],
    isOffered: (row) => ['PENDING', 'APPROVED'].includes(statusOf(row)),
    done: 'Put on hold.',
  }),
  decision({
    name: 'release',
    label: 'Release',
    command: reviewCommands.release,
    about: 'The customer is again what it was before the hold. A block by a provider needs a note.',
    fields: [NOTE],
    isOffered: (row) => statusOf(row) === 'HOLD',
    done: 'Released.',
  }),
  decision({
    name: 'dismiss',
    label: 'Dismiss findings',
    command: reviewCommands.dismiss,
    about: 'Takes what screenings and alerts found off the list. The customer stays as it is.',
    fields: [{ ...NOTE, isRequired: true }],
    isOffered: (row) => row.flags.length > 0,
    done: 'Dismissed.',
  }),
  decision({
    name: 'reject',
    label: 'Reject',
    command: reviewCommands.reject,
    tone: 'bad',
    about: 'For good. Without an error it is rejected as an applicant.',
    part: errorEntries({ name: 'reject', isRejection: true }),
    fields: [NOTE],
    isOffered: isDecidable,
    done: 'Rejected.',
  }),
  decision({
    name: 'reject-owners',
    label: 'Reject the owners',
    command: reviewCommands.reject,
    tone: 'bad',
    about: 'For good, and the business is put on hold. Without an error each owner is rejected.',
    part: errorEntries({ name: 'reject-owners', isRejection: true }),
    fields: [NOTE],
    isOffered: isOwnerReview,
    done: 'The owners are rejected, and the business is on hold.',
  }),
]

export const reviews: Section<Line, Review> = {
  path: 'reviews',
  title: 'Reviews',
  about: 'Customers who wait for a decision, oldest first.',
  count: ({ db }) => countReviews(db.read, { atMost: 100 }),
  waitsSince: ({ submittedAt }) => submittedAt,
  idOf: ({ customerId }) => customerId,
  list: {
    command: reviewCommands.list,
    caption: 'Undecided',
    byPlatform: true,
    lookup: { label: 'Any customer', placeholder: 'Customer:… or Verification:…' },
    filters: [
      {
        name: 'status',
        label: 'Status',
        choices: [
          { value: 'PENDING_MANUAL_REVIEW', label: 'Pending manual review' },
          { value: 'IN_PROGRESS', label: 'In progress' },
          { value: 'RESOLVE_ERRORS', label: 'Resolve errors' },
          { value: 'PENDING', label: 'Customer pending' },
          { value: 'HOLD', label: 'Customer on hold' },
        ],
      },
    ],
    columns: [
      textColumn('Name', 'customerName'),
      statusColumn('Type', 'customerType'),
      PLATFORM_COLUMN,
      VERIFICATION_AND_OWNERS,
      statusColumn('Customer', 'status'),
      timeColumn('Submitted', 'submittedAt'),
      ageColumn('Waiting', 'submittedAt'),
      idColumn('Id', 'customerId'),
    ],
    empty: 'Nobody waits for a decision.',
    limit: 100,
  },
  detail: {
    command: reviewCommands.show,
    title: ({ customer }) => nameOf(customer),
    facts: [
      { title: 'Status', cell: (row) => badge(statusOf(row)) },
      statusColumn('Verification', 'verification', 'verificationStatus'),
      statusColumn('Type', 'customer', 'customerType'),
      PLATFORM_COLUMN,
      textColumn('Platform customer id', 'customer', 'platformCustomerId'),
      textColumn('UMA address', 'customer', 'umaAddress'),
      codeColumn('Customer id', 'customer', 'id'),
      codeColumn('Verification id', 'verification', 'id'),
    ],
    body: reviewView,
    timelineOf: ({ customer, verification }) => verification?.id ?? customer.id,
    actions: ACTIONS,
    versionOf: ({ state }) => state,
    explain: lastAction,
  },
  routes: serveFiles,
}

function serveFiles(scope: FastifyInstance, gate: Gate): void {
  scope.get('/reviews/documents/:documentId', async (request, reply) => {
    const { deps, caller } = await gate.visit(request)
    mustBeCallable(caller, reviewCommands.document)
    const { documentId } = request.params as { documentId: string }
    return sendFile(reply, await openDocument(deps, documentId))
  })
  scope.post('/reviews/:id/reveal', async (request, reply) => {
    const visit = await gate.visit(request)
    const { id } = request.params as { id: string }
    const call = { args: [id], options: { reveal: true } }
    const row = await visit.ask(reviewCommands.show, call)
    return gate.show(reply, visit, await detailScreen(reviews, visit, { id, row }))
  })
}

/** As headers spell a name that may hold anything (RFC 8187). */
const spelled = (name: string): string =>
  encodeURIComponent(name).replace(
    /['()*!]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** What a stranger uploaded: a picture is shown as one and nothing else, the rest is only handed over. */
function sendFile(reply: FastifyReply, { mediaType, fileName, bytes }: OpenDocument) {
  const kind = mediaType.startsWith('image/') ? 'inline' : 'attachment'
  return reply
    .headers({
      ...HEADERS,
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'content-disposition': `${kind}; filename*=UTF-8''${spelled(fileName)}`,
    })
    .type(mediaType)
    .send(bytes)
}
