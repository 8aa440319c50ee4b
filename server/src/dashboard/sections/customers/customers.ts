import { CUSTOMER_STATUSES, CUSTOMER_TYPES } from '../../../features/customers/index.ts'
import {
  codeColumn,
  idColumn,
  inWords,
  PLATFORM_COLUMN,
  statusColumn,
  textColumn,
  timeColumn,
  badge,
} from '../../cells/cells.ts'
import type { Choice, Section } from '../../section.ts'
import { customerView } from './customer-view.ts'
import { nameOf, statusOf } from './review-file.ts'
import { customerCommands } from '../../../operator/commands/customers/customers.ts'
import { type Answer } from '../../../operator/command.ts'

type Line = Answer<typeof customerCommands.list>[number]
type Shown = Answer<typeof customerCommands.show>

const choices = (values: readonly string[]): readonly Choice[] =>
  values.map((value) => ({ value, label: inWords(value) }))

export const customers: Section<Line, Shown> = {
  path: 'customers',
  title: 'Customers',
  about: 'People and companies for whom platforms move money, newest first.',
  idOf: ({ customerId }) => customerId,
  list: {
    command: customerCommands.list,
    caption: 'Customers, newest first',
    byPlatform: true,
    filters: [
      { name: 'status', label: 'Status', choices: choices(CUSTOMER_STATUSES) },
      { name: 'type', label: 'Type', choices: choices(CUSTOMER_TYPES) },
    ],
    columns: [
      textColumn('Name', 'customerName'),
      statusColumn('Status', 'status'),
      statusColumn('Type', 'customerType'),
      PLATFORM_COLUMN,
      idColumn('Platform customer id', 'platformCustomerId'),
      timeColumn('Since', 'createdAt'),
      idColumn('Id', 'customerId'),
    ],
    empty: 'No customer is like this.',
    limit: 50,
    older: { option: 'before', of: ({ customerId }) => customerId },
  },
  detail: {
    command: customerCommands.show,
    title: ({ customer }) => nameOf(customer),
    timelineOf: ({ customer }) => customer.id,
    facts: [
      { title: 'Status', cell: (row) => badge(statusOf(row)) },
      statusColumn('Type', 'customer', 'customerType'),
      PLATFORM_COLUMN,
      textColumn('Platform customer id', 'customer', 'platformCustomerId'),
      textColumn('UMA address', 'customer', 'umaAddress'),
      timeColumn('Since', 'customer', 'createdAt'),
      codeColumn('Id', 'customer', 'id'),
    ],
    body: customerView,
  },
}
