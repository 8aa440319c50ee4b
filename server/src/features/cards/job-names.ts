export const PROVISION_CARD = 'cards.provision'
export const CONFIRM_PULL = 'cards.confirmPull'
export const END_AUTHORIZATION = 'cards.endAuthorization'
export const EXPIRE_CARD = 'cards.expire'
