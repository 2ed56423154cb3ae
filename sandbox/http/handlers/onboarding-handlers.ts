import type { Fields } from '../../../src/contract/operation.js';
import type { OnboardingKind, Registration } from '../../sellers/onboarding.js';
import type { Call, Handler, Handlers } from '../handler.js';
import { createProblem, json, requireFound } from '../responses.js';

/** Forms have passed the contract's schema, so the casts are safe. */
export const onboardingHandlers = {
  'onboarding.submitPf': submission('pf'),
  'onboarding.submitPj': submission('pj'),
  'onboarding.status': {
    run: (call) => {
      const registration = toRegistration(call);
      const { id, status, canResubmit, internalId } = registration;
      return json(200, { registration_id: id, status, can_resubmit: canResubmit, internalId });
    },
  },
  'onboarding.resendDocuments': {
    features: () => ['paas'],
    issues: ({ merchant, body }) => merchant.onboarding.formatIssues(body),
    run: (call) => {
      const registration = toRegistration(call);
      if (!registration.canResubmit) {
        return createProblem(
          call.merchant.behaviour.statuses.notResubmittable,
          'not_resubmittable',
          `Registration ${registration.id} is ${registration.status}, and can_resubmit is false.`,
        );
      }
      call.merchant.onboarding.resend(registration, call.body as Fields);
      return accepted(registration);
    },
  },
} satisfies Partial<Handlers>;

function submission(kind: OnboardingKind): Handler {
  return {
    features: () => ['paas'],
    issues: ({ merchant, body }) => merchant.onboarding.issues(kind, body),
    run: ({ merchant, body, idempotencyKey = '' }) =>
      accepted(merchant.onboarding.submit(kind, body as Fields, idempotencyKey)),
  };
}

/** Never contains a decision, because KYC is asynchronous. */
const accepted = ({ id }: Registration) => json(202, { registration_id: id, status: 'submitted' });

const toRegistration = ({ merchant, params }: Call): Registration =>
  requireFound(
    merchant.onboarding.find(params.registrationId ?? ''),
    'This merchant has no such registration.',
  );
