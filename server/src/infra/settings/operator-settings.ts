/** How operators come in, and what they may do. */
import * as kinds from './setting-kinds.ts'
import type { Texts } from './given-texts.ts'
import { isProduction, optional, setting } from './setting.ts'

export const OPERATOR_SETTINGS = {
  operatorCli: setting({
    name: 'OPERATOR_CLI',
    kind: kinds.oneOf(['open', 'token']),
    default: (texts) => (isProduction(texts) ? 'token' : 'open'),
    defaultShown: '`open`, in production `token`',
    about:
      'Who may use `florin`: with `open` every user of the machine, as `local:<user>` with all roles; with `token` it takes an operator’s token in `FLORIN_OPERATOR_TOKEN` or `--token-file`, once there is an operator.',
  }),
  operatorToken: optional({
    name: 'FLORIN_OPERATOR_TOKEN',
    kind: kinds.secretText('the token of an operator'),
    about: 'The operator’s token that `florin` acts by; the service itself does not read it.',
  }),
  operatorLinks: setting({
    name: 'OPERATOR_LINKS',
    kind: kinds.oneOf(['on', 'off']),
    default: (texts) =>
      isProduction(texts) && texts['OPERATOR_OIDC_ISSUER'] !== undefined ? 'off' : 'on',
    defaultShown: '`on`; `off` in production where `OPERATOR_OIDC_ISSUER` is given',
    about:
      'Whether `florin dashboard link` signs operators in. Links of invitations and of `operators recover` always do.',
  }),
  fourEyes: setting({
    name: 'FOUR_EYES',
    kind: kinds.oneOf(['on', 'off']),
    default: (texts) => (isProduction(texts) ? 'on' : 'off'),
    defaultShown: '`off`, in production `on`',
    about:
      'Whether a second operator has to approve what releases money or changes who may do what. `off` in production declares that a single operator runs the installation.',
  }),
  fourEyesFrom: setting({
    name: 'FOUR_EYES_FROM',
    kind: kinds.dollars,
    default: 'USD:0',
    about:
      'With `FOUR_EYES` on: settlements, deposits and retries need a second operator once what one operator moved alone on a day (UTC) reaches this, in cents. `USD:0`: always.',
  }),
  operatorOidcIssuer: optional({
    name: 'OPERATOR_OIDC_ISSUER',
    kind: kinds.issuer,
    about:
      'OpenID Connect issuer by which operators sign in to the dashboard, as it writes itself in `iss`. It may be on a private address.',
  }),
  operatorOidcClientId: optional({
    name: 'OPERATOR_OIDC_CLIENT_ID',
    kind: kinds.foreignName,
    about:
      'What the issuer calls this service; the address it may send operators back to is `{ADMIN_URL}/sign-in/oidc/callback`.',
  }),
  operatorOidcClientSecret: optional({
    name: 'OPERATOR_OIDC_CLIENT_SECRET',
    kind: kinds.secretText('the secret of the client'),
    about: 'The secret that the issuer gave for it; none for a public client.',
  }),
  operatorOidcScopes: setting({
    name: 'OPERATOR_OIDC_SCOPES',
    kind: kinds.oidcScopes,
    default: 'openid profile email',
    about: 'What the issuer is asked for; some answer groups only with a scope of their own.',
  }),
  operatorOidcGroupsClaim: setting({
    name: 'OPERATOR_OIDC_GROUPS_CLAIM',
    kind: kinds.foreignName,
    default: 'groups',
    about: 'The claim of the ID token that holds the groups of the operator.',
  }),
  operatorOidcRoles: setting({
    name: 'OPERATOR_OIDC_ROLES',
    kind: kinds.groupRoles,
    default: '',
    defaultShown: 'none',
    about:
      'Which groups give which roles: `pay-admins=ADMIN,pay-ops=TREASURER+REVIEWER`. Without it only invited operators sign in.',
  }),
  operatorOidcAcr: optional({
    name: 'OPERATOR_OIDC_ACR',
    kind: kinds.foreignNames,
    about:
      'Values of `acr`, separated by commas: the issuer is asked for one of them, and an ID token with another is refused.',
  }),
}

type Placed = Readonly<{ adminUrl: string | undefined; adminHost: string; adminPort: number }>

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1)$/

/** What is missing between the settings of OpenID Connect (OPER-31). */
export function oidcProblems(texts: Texts, { adminUrl, adminHost, adminPort }: Placed): string[] {
  const issuer = OPERATOR_SETTINGS.operatorOidcIssuer.name
  const given = Object.values(OPERATOR_SETTINGS)
    .map(({ name }) => name)
    .filter((name) => name.startsWith('OPERATOR_OIDC_') && texts[name] !== undefined)
  if (!given.includes(issuer)) return given.map((name) => `${name} is given without ${issuer}.`)
  const isReachable = adminUrl !== undefined || (adminPort !== 0 && LOOPBACK.test(adminHost))
  return [
    ...(given.includes('OPERATOR_OIDC_CLIENT_ID')
      ? []
      : [`OPERATOR_OIDC_CLIENT_ID is required with ${issuer}.`]),
    ...(isReachable
      ? []
      : [
          `${issuer} needs ADMIN_URL, or an admin listener on this machine (ADMIN_HOST, ADMIN_PORT).`,
        ]),
  ]
}
