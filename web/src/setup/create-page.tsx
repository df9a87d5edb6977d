import { Grid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useEffect, useRef } from 'react';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { businessQuery } from '../business/queries';
import { useZone } from '../business/use-zone';
import { isNotFound, messageOf } from '../http/errors';
import { NotFound } from '../layout/not-found';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { useRetryFailed } from '../layout/use-retry-failed';
import { isId, paths } from '../paths';
import { Surface } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Failed } from '../ui/states';
import { H2 } from '../ui/text';
import { DetailsStep } from './details-step';
import { HoursStep } from './hours-step';
import { OwnerStep } from './owner-step';
import { PhoneStep } from './phone-step';
import { ServicesStep } from './services-step';
import { StepList } from './step-list';
import type { StepProps } from './step-props';
import { firstOpen, isKnown, NOTHING_KNOWN, STEP_NAMES, type Step, stepAfter, stepOf } from './steps';
import { TeamStep } from './team-step';
import { useSetup } from './use-setup';

const PAGES: Readonly<Record<Exclude<Step, 'details'>, ComponentType<StepProps>>> = {
  hours: HoursStep,
  team: TeamStep,
  services: ServicesStep,
  owner: OwnerStep,
  phone: PhoneStep,
};

/** Sets a salon up, step by step. Each step is saved by itself, and the address says which salon and which step. */
export function Component() {
  const [search] = useSearchParams();
  const businessId = search.get('business') ?? '';
  return isId(businessId) ? <Setup key={businessId} businessId={businessId} /> : <Beginning />;
}

/** Before the business exists. */
function Beginning() {
  const navigate = useNavigate();
  return (
    <Page
      title="Create a business"
      lead="Start with its name and place. The other steps follow, and each can wait."
    >
      <Frame list={<StepList businessId="" facts={NOTHING_KNOWN} current="details" />}>
        <H2>{STEP_NAMES.details}</H2>
        <DetailsStep
          business={undefined}
          onDone={(id) => void navigate(paths.adminCreateBusiness(id, 'hours'), { replace: true })}
        />
      </Frame>
    </Page>
  );
}

function Setup({ businessId }: { businessId: string }) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const zone = useZone(businessId);
  const query = useQuery(businessQuery(businessId));
  const { data, error } = query;
  const setup = useSetup(businessId, 'ADMIN');
  const { facts } = setup;
  const step = stepOf(search.get('step'));
  const heading = useFocusedHeading(step);
  if (isNotFound(error)) return <NotFound />;
  // Once only: what is done on a step does not lead away from it.
  if (!step && isKnown(facts))
    return <Navigate to={paths.adminCreateBusiness(businessId, firstOpen(facts))} replace />;

  const goTo = (to: Step | undefined) =>
    void navigate(to ? paths.adminCreateBusiness(businessId, to) : paths.business(businessId));
  const business = data?.business;
  const Step = step && step !== 'details' ? PAGES[step] : undefined;
  return (
    <Page
      title={business ? `Set up ${business.name}` : 'Set up a business'}
      lead="Each step is saved on its own. Leave whenever you like: Admin leads you back here."
    >
      <Frame list={<StepList businessId={businessId} facts={facts} current={step} />}>
        {step && (
          <H2 ref={heading} tabIndex={-1} outline="none">
            {STEP_NAMES[step]}
          </H2>
        )}
        <Reading query={query} what="The business" skeleton={<Loading />}>
          {({ business }) => (
            <>
              {!step && <Finding {...setup} />}
              {step === 'details' && business && (
                <DetailsStep business={business} onDone={() => goTo('hours')} />
              )}
              {step && Step && (
                <Step
                  key={step}
                  businessId={businessId}
                  zone={zone}
                  next={stepAfter(step, facts)}
                  onDone={() => goTo(stepAfter(step, facts))}
                />
              )}
            </>
          )}
        </Reading>
      </Frame>
    </Page>
  );
}

type FindingProps = { error: Error | undefined; isReading: boolean };

/** Looks for the step to go on with, which depends on what every service says. */
function Finding({ error, isReading }: FindingProps) {
  const retryFailed = useRetryFailed();
  if (!error) return <Loading />;
  return (
    <Failed
      title="What is set up can’t be shown"
      message={`${messageOf(error)} You can also choose a step yourself.`}
      onRetry={retryFailed}
      retrying={isReading}
    />
  );
}

const Loading = () => <RowsSkeleton rows={4} label="Loading what is set up" />;

function Frame({ list, children }: { list: ReactNode; children: ReactNode }) {
  return (
    <Grid
      gap="6"
      alignItems="start"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: '15rem minmax(0, 1fr)' }}
    >
      {list}
      <Surface p={{ base: '4', sm: '6' }}>
        <Stack gap="5">{children}</Stack>
      </Surface>
    </Grid>
  );
}

/** A new step is a new page to those who hear it: the focus goes to its heading, but not at the first of all. */
function useFocusedHeading(step: Step | undefined) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(step);
  useEffect(() => {
    if (before.current !== undefined && before.current !== step) heading.current?.focus();
    before.current = step;
  }, [step]);
  return heading;
}
