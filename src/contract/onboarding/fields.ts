import { assumed, documented, fieldTable } from '../fields.js';
import type { OnboardingStatus } from './types.js';

/** The answer to the status query of an onboarding. */
export const onboardingStatusFields = fieldTable<OnboardingStatus & { registration_id?: string }>()(
  'onboarding',
  'response',
  {
    registration_id: documented,
    can_resubmit: documented,
    status: assumed(
      'Of the status query only `can_resubmit` is documented; the answers to submit and resend have `status` beside it.',
    ),
  },
);
