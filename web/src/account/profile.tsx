import { Stack } from '@chakra-ui/react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { GetMeResponse } from '../gen/frontdesk/auth/v1/account_pb';
import { Reading } from '../layout/reading';
import { Card } from '../ui/card';
import { Bar, Loading } from '../ui/skeleton';
import { EmailPart } from './email-part';
import { NameForm } from './name-form';

/** Name and e-mail address. */
export function Profile({ query }: { query: UseQueryResult<GetMeResponse> }) {
  return (
    <Card title="Profile">
      <Reading query={query} what="Your profile" skeleton={<ProfileSkeleton />}>
        {(me) => (
          <Stack gap="6">
            {/* A saved name makes a new form, with nothing in it to undo by hand. */}
            <NameForm key={me.name} name={me.name} />
            <EmailPart me={me} />
          </Stack>
        )}
      </Reading>
    </Card>
  );
}

function ProfileSkeleton() {
  return (
    <Loading label="Loading your profile">
      <Stack gap="6">
        {['name', 'e-mail'].map((field) => (
          <Stack key={field} gap="2">
            <Bar width="80px" height="0.875rem" />
            <Bar height="3rem" />
          </Stack>
        ))}
      </Stack>
    </Loading>
  );
}
