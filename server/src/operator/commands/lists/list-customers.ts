import { Type } from '../../../infra/http/schema/type.ts'
import { idField, oneOf, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { toWireTime } from '../../../kernel/clock.ts'
import { failNotFound, formatId, mustParseId } from '../../../kernel/ids.ts'
import type { Deps } from '../../../infra/deps.ts'
import type { Work } from '../../../infra/work/work.ts'
import {
  CUSTOMER_STATUSES,
  CUSTOMER_TYPES,
  displayName,
  findCustomer,
  listCustomersOfAll,
  listErasableCustomers,
  type OwnedCustomer,
} from '../../../features/customers/index.ts'
import { shownPlatforms, visibleOwner } from '../../access/visible-platforms.ts'
import { choiceOf, defineCommand, record, type Input } from '../../command.ts'
import { LIMIT, limitOf, PLATFORM } from '../../queries/list-filters.ts'
import { findPlatformOfCustomer } from '../../queries/operator-store.ts'

const LineSchema = record({
  customerId: idField('customer'),
  platformId: idField('platform'),
  customerName: Type.String(),
  customerType: oneOf(CUSTOMER_TYPES),
  status: oneOf(CUSTOMER_STATUSES),
  platformCustomerId: Type.String(),
  region: Type.Optional(Type.String()),
  createdAt: timestamp(),
})

export async function mustFindCustomer(
  deps: Pick<Deps, 'db' | 'operator'>,
  text: string,
): Promise<OwnedCustomer> {
  const id = mustParseId('customer', text)
  const owner =
    (await visibleOwner(deps, findPlatformOfCustomer(deps.db.read, id))) ?? failNotFound('customer')
  const place = { tx: deps.db.read, platform: { id: owner } } as Pick<Work, 'tx' | 'platform'>
  const customer = (await findCustomer(place, id)) ?? failNotFound('customer')
  return { platformId: owner, customer }
}

async function placeBefore(deps: Deps, input: Input) {
  const before = input.option('before')
  if (before === undefined) return undefined
  const { customer } = await mustFindCustomer(deps, before)
  return { createdAt: customer.createdAt, id: customer.id }
}

async function listLiving(deps: Deps, input: Input): Promise<OwnedCustomer[]> {
  const filters = {
    status: choiceOf(input, 'status', CUSTOMER_STATUSES),
    customerType: choiceOf(input, 'type', CUSTOMER_TYPES),
  }
  const after = await placeBefore(deps, input)
  return listCustomersOfAll(deps.db.read, shownPlatforms(deps, input), {
    filters,
    after,
    limit: limitOf(input),
  })
}

const listErasable = (deps: Deps, input: Input): Promise<OwnedCustomer[]> =>
  listErasableCustomers(deps.db.read, {
    platformIds: shownPlatforms(deps, input),
    now: deps.clock.now(),
    years: deps.settings.retentionCustomerYears,
    limit: limitOf(input),
  })

export const listCustomers = defineCommand({
  name: 'customers list',
  access: { roles: ['VIEWER'] },
  about: 'Customers of one platform or of all, newest first, without deleted ones.',
  options: {
    platform: PLATFORM,
    status: { about: `One of ${CUSTOMER_STATUSES.join(', ')}.`, value: 'NAME' },
    type: { about: 'INDIVIDUAL or BUSINESS.', value: 'NAME' },
    before: { about: 'Only those older than this customer.', value: 'ID' },
    erasable: {
      about: 'Instead those deleted or rejected whose data may be erased, longest first.',
      flag: true,
    },
    limit: LIMIT,
  },
  answers: Type.Array(LineSchema),
  async run(deps, input) {
    const found = await (input.flag('erasable')
      ? listErasable(deps, input)
      : listLiving(deps, input))
    return found.map(({ platformId, customer }) => ({
      customerId: formatId('customer', customer.id),
      platformId: formatId('platform', platformId),
      customerName: displayName(customer),
      customerType: customer.customerType,
      status: customer.status,
      platformCustomerId: customer.platformCustomerId,
      region: customer.region,
      createdAt: toWireTime(customer.createdAt),
    }))
  },
})
