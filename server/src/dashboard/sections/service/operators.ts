import { ROLES, type Role } from '../../../kernel/access/operator.ts'
import { formatId } from '../../../kernel/ids.ts'
import { html } from '../../../pages/html.ts'
import { codeColumn, statusColumn, textColumn, timeColumn } from '../../cells/cells.ts'
import type { Action, Choice, Field, Section, Visit } from '../../section.ts'
import { API_REFERENCE, shownOnce } from '../operator-tokens.ts'
import { ifAny } from '../waiting.ts'
import { operatorView, PLATFORMS_COLUMN, ROLES_COLUMN, type OperatorPage } from './operator-view.ts'
import { mayUse } from '../../../operator/access/must-be-allowed.ts'
import { operatorCommands } from '../../../operator/commands/operators/operators.ts'
import { operatorTokenCommands } from '../../../operator/commands/operators/operator-tokens.ts'
import type { Answer } from '../../../operator/command.ts'

type Line = Answer<typeof operatorCommands.list>[number]
type Invited = Answer<typeof operatorCommands.invite>
type Made = Answer<typeof operatorTokenCommands.create>

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  VIEWER: 'Viewer: reads, government numbers masked',
  REVIEWER: 'Reviewer: decides about people and payees',
  TREASURER: 'Treasurer: moves and releases money, keeps prices',
  ADMIN: 'Admin: platforms, providers, operators, keys',
  DEVELOPER: 'Developer: requests, events, tokens and sandbox of their platforms',
}

const roleChoices = (roles: readonly Role[]): readonly Choice[] =>
  roles.map((role) => ({ value: role, label: ROLE_WORDS[role] }))

const platformChoices = ({ platforms }: Visit): readonly Choice[] =>
  platforms.map(({ platformId, name }) => ({ value: platformId, label: name }))

const ROLES_FIELD: Field = {
  name: 'roles',
  label: 'Roles',
  kind: 'boxes',
  choices: () => roleChoices(ROLES),
}

const PLATFORMS_FIELD: Field = {
  name: 'platform',
  label: 'Only these platforms',
  kind: 'boxes',
  hint: 'None ticked: all platforms and the installation as a whole.',
  choices: (_, visit) => platformChoices(visit),
}

const isOther = ({ operatorId }: OperatorPage, { caller }: Visit): boolean =>
  caller.operatorId === undefined || operatorId !== formatId('operator', caller.operatorId)

const linkView = ({ name, url, expiresAt }: Invited) =>
  shownOnce({
    title: 'Link',
    about: `Send this link to ${name}: it signs in once.`,
    value: url,
    until: expiresAt,
  })

const INVITE: Action<never, Invited> = {
  name: 'invite',
  label: 'Invite an operator',
  command: operatorCommands.invite,
  about: 'It makes a link that signs in once within 72 hours. You send it; it is shown once.',
  fields: [
    { name: 'name', label: 'Name', hint: 'What audit entries call them.', isRequired: true },
    { name: 'email', label: 'E-mail', isRequired: true },
    ROLES_FIELD,
    PLATFORMS_FIELD,
  ],
  showsAnswer: true,
  answerView: linkView,
  done: 'Invited',
}

const INVITE_AGAIN: Action<OperatorPage, Invited> = {
  name: 'invite-again',
  label: 'New invitation link',
  command: operatorCommands.invite,
  about: 'For 72 hours; the former link is void.',
  isOffered: ({ status, email }) => status === 'INVITED' && email !== undefined,
  args: () => [],
  options: ({ name, email, roles, platforms = [] }) => ({
    name,
    email,
    roles: roles.join(','),
    platform: platforms,
  }),
  showsAnswer: true,
  answerView: linkView,
  done: 'Invited again',
}

const CREATE_TOKEN: Action<OperatorPage, Made> = {
  name: 'create-token',
  label: 'New token for a program',
  command: operatorTokenCommands.create,
  about: 'It acts in the name of the operator, never beyond their roles, and is shown once.',
  // The command is everybody's for personal tokens; those of programs are made by who may disable the operator.
  isOffered: ({ status }, { caller }) =>
    status !== 'DISABLED' && mayUse(caller, operatorCommands.disable),
  args: () => [],
  options: ({ operatorId }) => ({ operator: operatorId }),
  fields: [
    { name: 'name', label: 'Token’s name', isRequired: true },
    { name: 'expires-in', label: 'Days', hint: 'It works for 1 to 365 days.', isRequired: true },
    {
      ...ROLES_FIELD,
      choices: ({ roles }) =>
        roleChoices(ROLES.filter((role) => role === 'VIEWER' || roles.includes(role))),
      ticked: ({ roles }) => roles,
    },
    {
      ...PLATFORMS_FIELD,
      hint: 'None ticked: all that the operator has.',
      choices: ({ platforms }, visit) =>
        platformChoices(visit).filter(({ value }) => platforms?.includes(value) ?? true),
    },
    { name: 'commands', label: 'Only these commands', hint: 'As in settlements.confirm,look-up.' },
    {
      name: 'address',
      label: 'Only from',
      kind: 'lines',
      hint: 'Addresses or ranges, as in 10.0.0.0/8, one a line.',
    },
  ],
  showsAnswer: true,
  answerView: ({ token, name, expiresAt }) =>
    shownOnce({
      title: 'Token',
      about: `Give it to the program. Audit entries call it ${name}.`,
      value: token,
      until: expiresAt,
    }),
  done: 'The token is made',
}

const ACTIONS: readonly Action<OperatorPage>[] = [
  {
    name: 'change-access',
    label: 'Change access',
    command: operatorCommands.update,
    about: 'It applies to the next thing they do. Nobody changes their own.',
    isOffered: isOther,
    fields: [
      { ...ROLES_FIELD, ticked: ({ roles }) => roles },
      { ...PLATFORMS_FIELD, ticked: ({ platforms = [] }) => platforms, ifNone: 'none' },
    ],
    done: 'Access is changed.',
  },
  {
    name: 'rename',
    label: 'Rename',
    command: operatorCommands.update,
    about: 'Audit entries keep the name under which they were made.',
    fields: [{ name: 'name', label: 'New name', isRequired: true }],
    done: 'Renamed.',
  },
  INVITE_AGAIN,
  CREATE_TOKEN,
  {
    name: 'revoke-token',
    label: 'Revoke a token',
    command: operatorTokenCommands.revoke,
    tone: 'bad',
    about: 'It works no longer, at once, and never again.',
    isOffered: ({ tokens = [] }) => tokens.length > 0,
    args: () => [],
    fields: [
      {
        name: 'token',
        label: 'Token',
        kind: 'choice',
        isArgument: true,
        isRequired: true,
        choices: ({ tokens = [] }) => [
          { value: '', label: 'Choose one' },
          ...tokens.map(({ operatorTokenId, name }) => ({ value: operatorTokenId, label: name })),
        ],
      },
    ],
    done: 'The token is revoked.',
  },
  {
    name: 'disable',
    label: 'Disable',
    command: operatorCommands.disable,
    tone: 'bad',
    about: 'Sessions, links, tokens and open proposals of this operator end at once.',
    isOffered: ({ status }) => status !== 'DISABLED',
    done: 'Disabled.',
  },
  {
    name: 'enable',
    label: 'Enable',
    command: operatorCommands.enable,
    about: 'The operator can sign in again. What ended stays ended.',
    isOffered: (row, visit) => row.status === 'DISABLED' && isOther(row, visit),
    done: 'Enabled.',
  },
]

export const operators: Section<Line, OperatorPage> = {
  path: 'operators',
  title: 'Operators',
  about: html`Who runs this installation, and what each may do. ${API_REFERENCE}`,
  idOf: ({ operatorId }) => operatorId,
  list: {
    command: operatorCommands.list,
    caption: 'Operators, oldest first',
    columns: [
      textColumn('Name', 'name'),
      textColumn('E-mail', 'email'),
      ROLES_COLUMN,
      PLATFORMS_COLUMN,
      statusColumn('Status', 'status'),
      timeColumn('Last seen', 'lastSeenAt'),
    ],
    empty: 'There is none yet: users of the machine act under its names.',
  },
  actions: [INVITE],
  detail: {
    command: operatorCommands.show,
    title: ({ name }) => name,
    facts: [
      statusColumn('Status', 'status'),
      textColumn('E-mail', 'email'),
      ROLES_COLUMN,
      PLATFORMS_COLUMN,
      timeColumn('Since', 'createdAt'),
      timeColumn('Last seen', 'lastSeenAt'),
      ifAny(textColumn('Signs in at', 'identity', 'issuer')),
      ifAny(codeColumn('Known there as', 'identity', 'subject')),
      codeColumn('Id', 'operatorId'),
    ],
    body: operatorView,
    actions: ACTIONS,
  },
}
